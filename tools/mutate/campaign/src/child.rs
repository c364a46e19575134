//! Work in a process of its own: what a mutant breaks, or never ends, ends with it.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;

/// Its address space.
const MEMORY: u64 = 6 << 30;

/// What the process wrote, and whether it came to the end.
pub struct Ended {
    /// What it wrote.
    pub text: Vec<u8>,
    /// Nothing ended it.
    pub whole: bool,
    /// It was ended because it took too long.
    pub late: bool,
}

/// Does the work in a child process, which writes what it finds and may take so many seconds.
pub fn run(seconds: u32, work: impl FnOnce(&mut dyn Write)) -> Ended {
    let mut ends = [0; 2];
    // SAFETY: the array has room for both ends.
    let made = unsafe { libc::pipe(ends.as_mut_ptr()) };
    assert_eq!(made, 0, "a pipe");
    // SAFETY: this process has one thread.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "a process");
    if pid == 0 {
        // SAFETY: calls without pointers but for one to a local; `_exit` leaves everything to the system.
        unsafe {
            libc::close(ends[0]);
            libc::alarm(seconds);
            let limit = libc::rlimit { rlim_cur: MEMORY, rlim_max: MEMORY };
            libc::setrlimit(libc::RLIMIT_AS, &limit);
            let mut out = File::from_raw_fd(ends[1]);
            work(&mut out);
            libc::_exit(0);
        }
    }
    // SAFETY: the ends are this process's own; `status` is a local.
    unsafe {
        libc::close(ends[1]);
        let mut text = Vec::new();
        let read = File::from_raw_fd(ends[0]).read_to_end(&mut text).is_ok();
        let mut status = 0;
        libc::waitpid(pid, &mut status, 0);
        let late = libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGALRM;
        Ended { text, whole: read && status == 0, late }
    }
}

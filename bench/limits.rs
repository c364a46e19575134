//! Do limits hold? Forty programs that are made to break them, each checked under a limit of time and of memory.
//!
//! `cargo run --release -p raceproof --example bench_limits -- [--time SECONDS] [--memory MIB] [BINARY]...`: a table with what each of the
//! binaries took, and by how much it was over. See docs/benchmarks.md.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often the memory of a process is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// A process that takes so many times its limit is killed.
const KILLED: f64 = 8.0;

/// What one check took.
struct Took {
    seconds: f64,
    mib: f64,
    verdict: String,
}

fn main() {
    let (mut time, mut memory, mut binaries) = (3.0_f64, 700_u64, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--time" => time = words.next().and_then(|w| w.parse().ok()).unwrap_or(time),
            "--memory" => memory = words.next().and_then(|w| w.parse().ok()).unwrap_or(memory),
            binary => binaries.push(PathBuf::from(binary)),
        }
    }
    let folder = std::env::temp_dir().join(format!("raceproof-limits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    println!("limits: {time} s, {memory} MiB");
    let (mut late, mut large) = (vec![0; binaries.len()], vec![0; binaries.len()]);
    for (name, source) in programs() {
        let extension = if source.contains("template") { "cpp" } else { "c" };
        let file = folder.join(format!("{name}.{extension}"));
        std::fs::write(&file, source).expect("a program");
        let mut line = format!("{name:<28}");
        for (number, binary) in binaries.iter().enumerate() {
            let took = check(binary, &file, time, memory);
            let is_late = took.seconds > time + (time * 0.05).max(1.0);
            let is_large = took.mib > memory as f64 * 1.1;
            late[number] += usize::from(is_late);
            large[number] += usize::from(is_large);
            let marks = [(is_late, "LATE"), (is_large, "LARGE")];
            let marks: Vec<&str> = marks.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
            let _ = write!(
                line,
                "  {:>6.2} s {:>6.0} MiB {:<9} {:<10}",
                took.seconds,
                took.mib,
                took.verdict,
                marks.join(" ")
            );
        }
        println!("{}", line.trim_end());
    }
    for (binary, (late, large)) in binaries.iter().zip(late.iter().zip(&large)) {
        println!("{}: {late} over time, {large} over memory", binary.display());
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// Checks a program and watches the process.
fn check(binary: &Path, file: &Path, time: f64, memory: u64) -> Took {
    let began = Instant::now();
    let mut child = Command::new(binary)
        .args(["check", "--quiet", "--no-cache", "--no-progress", "--time-limit", &time.to_string()])
        .args(["--memory-limit", &format!("{memory}M")])
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a binary of raceproof");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0_u64;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = most.max(line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0));
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        if began.elapsed().as_secs_f64() > time * KILLED {
            let _ = child.kill();
        }
        std::thread::sleep(LOOK);
    }
    let seconds = began.elapsed().as_secs_f64();
    let out = child.wait_with_output().map(|out| out.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&out).into_owned();
    let verdict = text.split(':').next().filter(|word| word.len() < 12).unwrap_or("none");
    let verdict = if verdict.is_empty() { "none" } else { verdict };
    Took { seconds, mib: most as f64 / 1024.0, verdict: verdict.to_owned() }
}

const THREADS: &str = "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// A program of so many threads that all execute `body`.
fn threads(count: usize, globals: &str, body: &str) -> String {
    format!(
        "{THREADS}static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n{globals}\n\
         static void *worker(void *arg) {{\n(void)&m;\n{body}\nreturn arg; }}\n\
         int main(void) {{\n  static pthread_t t[{count}];\n\
         for (int i = 0; i < {count}; i++) pthread_create(&t[i], 0, worker, 0);\n\
         for (int i = 0; i < {count}; i++) pthread_join(t[i], 0);\n  return 0;\n}}\n"
    )
}

/// A program whose main function is this.
fn main_of(globals: &str, body: &str) -> String {
    format!("{THREADS}{globals}\nint main(void) {{\n{body}\nreturn 0; }}\n")
}

/// Many copies of a line, each with its number in place of `#`.
fn lines(count: usize, line: &str) -> String {
    (0..count).fold(String::new(), |text, i| text + &line.replace('#', &i.to_string()) + "\n")
}

fn programs() -> Vec<(&'static str, String)> {
    let mut all = long_runs();
    all.extend(histories());
    all.extend(many_races());
    all.extend(recursion());
    all.extend(sources());
    all.extend(tasks());
    all.extend(allocations());
    all.extend(searches());
    all
}

fn long_runs() -> Vec<(&'static str, String)> {
    vec![
        ("long_loop", main_of("volatile long x;", "for (long i = 0; i < 100000000000L; i++) x = i;")),
        ("long_thread", threads(2, "static long x[2];", "long s = 0; for (long i = 0; i < 20000000000L; i++) s += i; return (void *)s;")),
        ("long_locked", threads(2, "static long x;", "for (long i = 0; i < 1000000000L; i++) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }")),
        ("long_omp", "static double a[1000];\nint main(void) { for (int r = 0; r < 1000000; r++) {\n#pragma omp parallel for\nfor (int i = 0; i < 1000; i++) a[i] += i; }\nreturn 0; }\n".into()),
        ("long_strings", main_of("static char b[1 << 16];", "for (long i = 0; i < 1000000000L; i++) { memset(b, 'a', sizeof b - 1); if (strlen(b) == 3) return 1; }")),
    ]
}

fn histories() -> Vec<(&'static str, String)> {
    vec![
        ("history_large", threads(2, "static int a[2][20000000]; static int n;", "pthread_mutex_lock(&m); int me = n++; pthread_mutex_unlock(&m); for (int i = 0; i < 20000000; i++) a[me][i] = i;")),
        ("history_strided", threads(2, "static char a[2][400000000]; static int n;", "pthread_mutex_lock(&m); int me = n++; pthread_mutex_unlock(&m); for (long i = 0; i < 400000000; i += 64) a[me][i] = 1;")),
        ("history_random", threads(3, "static int a[10000000];", "unsigned s = 1; for (int i = 0; i < 50000000; i++) { s = s * 1664525 + 1013904223; (void)*(volatile int *)&a[s % 10000000]; }")),
        ("history_omp", "static int a[30000000];\nint main(void) {\n#pragma omp parallel for\nfor (int i = 0; i < 30000000; i++) a[i] = i;\nreturn 0; }\n".into()),
        ("history_segments", threads(4, "static int a[4][100000]; static int n;", "pthread_mutex_lock(&m); int me = n++; pthread_mutex_unlock(&m); for (int r = 0; r < 100000; r++) { pthread_mutex_lock(&m); a[me][r] = r; pthread_mutex_unlock(&m); a[me][99999 - r] = 1; }")),
    ]
}

fn many_races() -> Vec<(&'static str, String)> {
    vec![
        ("races_array", threads(2, "static int a[500000];", "for (int i = 0; i < 500000; i++) a[i] = i;")),
        ("races_omp_array", "static int a[300000];\nint main(void) {\n#pragma omp parallel\nfor (int i = 0; i < 300000; i++) a[i]++;\nreturn 0; }\n".into()),
        ("races_variables", threads(2, &lines(2000, "static int v#;"), &lines(2000, "v#++;"))),
        ("races_lines", threads(3, "static int v;", &lines(1500, "v += #;"))),
        ("races_steered", threads(2, "static int a[1000], n;", "for (int i = 0; i < 100000; i++) { pthread_mutex_lock(&m); int k = n++ % 1000; pthread_mutex_unlock(&m); a[(k * 7) % 1000] = k; if (a[k]) a[0]++; }")),
        ("races_omp_neighbours", "static int a[200000];\nint main(void) {\n#pragma omp parallel for\nfor (int i = 1; i < 199999; i++) a[i] = a[i - 1] + a[i + 1];\nreturn 0; }\n".into()),
    ]
}

fn recursion() -> Vec<(&'static str, String)> {
    vec![
        ("recursion_deep", main_of("static long f(long n) { return n ? 1 + f(n - 1) : 0; }", "return f(100000000L) == 3;")),
        ("recursion_threads", threads(2, "static long f(long n) { volatile long x = n; return n ? x + f(n - 1) : 0; }", "return (void *)f(10000000L);")),
        ("recursion_fib", threads(2, "static long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }", "return (void *)f(60);")),
        ("recursion_tasks", "static long f(int n) { long a, b; if (n < 2) return n;\n#pragma omp task shared(a)\na = f(n - 1);\n#pragma omp task shared(b)\nb = f(n - 2);\n#pragma omp taskwait\nreturn a + b; }\nint main(void) { long r = 0;\n#pragma omp parallel\n#pragma omp single\nr = f(26);\nreturn r == 0; }\n".into()),
    ]
}

fn sources() -> Vec<(&'static str, String)> {
    let functions = lines(40_000, "static int f#(int x) { int y = x + #; if (y > 3) y -= 2; return y * 3; }");
    let calls = lines(40_000, "s += f#(s);");
    let table = format!("static int t[] = {{ {} }};", "1,2,3,4,5,6,7,8,".repeat(400_000));
    vec![
        ("source_functions", main_of(&functions, &format!("int s = 0;\n{calls}\nreturn s == 0;"))),
        ("source_statements", main_of("static int a[100];", &lines(150_000, "a[# % 100] += a[(# + 7) % 100] * 3;"))),
        ("source_table", main_of(&table, "return t[5] == 0;")),
        ("source_templates", "template <int N, int M> struct F { static constexpr long v = (F<N - 1, M>::v + F<N - 1, M + 1>::v) % 1000; };\ntemplate <int M> struct F<0, M> { static constexpr long v = M; };\nint main() { return F<840, 0>::v == 3; }\n".into()),
        ("source_threads", threads(2, &lines(20_000, "static int g#;"), &lines(20_000, "pthread_mutex_lock(&m); g#++; pthread_mutex_unlock(&m);"))),
    ]
}

fn tasks() -> Vec<(&'static str, String)> {
    vec![
        ("tasks_many", "static int a[200000];\nint main(void) {\n#pragma omp parallel\n#pragma omp single\nfor (int i = 0; i < 200000; i++)\n#pragma omp task firstprivate(i)\na[i] = i;\nreturn 0; }\n".into()),
        ("tasks_depend", "static int a[400][400];\nint main(void) {\n#pragma omp parallel\n#pragma omp single\nfor (int i = 1; i < 400; i++) for (int j = 1; j < 400; j++)\n#pragma omp task firstprivate(i, j) depend(in: a[i - 1][j], a[i][j - 1]) depend(out: a[i][j])\na[i][j] = a[i - 1][j] + a[i][j - 1];\nreturn 0; }\n".into()),
        ("tasks_loop", "static int a[1000000];\nint main(void) {\n#pragma omp parallel\n#pragma omp single\n#pragma omp taskloop grainsize(1)\nfor (int i = 0; i < 1000000; i++) a[i] = i;\nreturn 0; }\n".into()),
        ("threads_many", threads(900, "static int x;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);")),
        ("threads_steered", threads(40, "static int x, y[41];", "pthread_mutex_lock(&m); int k = x++; pthread_mutex_unlock(&m); if (k % 3) y[k]++;")),
    ]
}

fn allocations() -> Vec<(&'static str, String)> {
    vec![
        (
            "allocation_many",
            main_of(
                "",
                "for (int i = 0; i < 1000; i++) { char *p = malloc(50000000); for (long k = 0; k < 50000000; k += 4096) p[k] = 1; }",
            ),
        ),
        (
            "allocation_one",
            main_of(
                "",
                "char *p = malloc(8000000000L); for (long k = 0; k < 8000000000L; k += 4096) p[k] = 1;",
            ),
        ),
        (
            "allocation_set",
            main_of(
                "",
                "for (int i = 0; i < 100; i++) { char *p = malloc(200000000); memset(p, i, 200000000); }",
            ),
        ),
        (
            "allocation_small",
            main_of(
                "struct n { struct n *next; long v[3]; };",
                "struct n *l = 0; for (long i = 0; i < 100000000; i++) { struct n *x = malloc(sizeof *x); x->next = l; l = x; }",
            ),
        ),
        (
            "allocation_threads",
            threads(
                3,
                "",
                "for (int i = 0; i < 1000; i++) { char *p = malloc(10000000); memset(p, 1, 10000000); }",
            ),
        ),
    ]
}

fn searches() -> Vec<(&'static str, String)> {
    let steered = "pthread_mutex_lock(&m); int k = x++ * 7 % 5; pthread_mutex_unlock(&m); for (int j = 0; j < k; j++) { pthread_mutex_lock(&m); x += j; pthread_mutex_unlock(&m); }";
    vec![
        (
            "search_states",
            threads(6, "static int x;", &format!("for (int i = 0; i < 50; i++) {{ {steered} }}")),
        ),
        (
            "search_large_states",
            threads(
                3,
                "static int x, a[1000000];",
                &format!(
                    "for (int i = 0; i < 100; i++) {{ {steered} for (int k = 0; k < 1000000; k += 1 + x % 2) a[k] += x; }}"
                ),
            ),
        ),
        (
            "search_deep",
            threads(2, "static int x;", &format!("for (int i = 0; i < 100000000; i++) {{ {steered} }}")),
        ),
        (
            "search_assertion",
            threads(
                4,
                "#include <assert.h>\nstatic int x;",
                &format!("for (int i = 0; i < 20; i++) {{ {steered} assert(x != 17); }}"),
            ),
        ),
        (
            "search_trylock",
            threads(
                4,
                "static int x;",
                "for (int i = 0; i < 1000; i++) if (!pthread_mutex_trylock(&m)) { x++; pthread_mutex_unlock(&m); }",
            ),
        ),
    ]
}

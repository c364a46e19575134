//! `raceproof certify`: compile the same sources again, and check what a verdict rests on.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use base::Budget;
use report::witness::sha256;

use crate::args::CertifyArgs;
use crate::certified::{self, CertificateFile};
use crate::front::Compiled;
use crate::{output, resolve};

/// The exit code for a certificate that is refused.
const REFUSED: u8 = 1;

/// Runs the command; the number is the exit code.
pub fn run(args: &CertifyArgs) -> Result<u8> {
    let shown = args.certificate.display();
    let text =
        std::fs::read_to_string(&args.certificate).with_context(|| format!("cannot read `{shown}`"))?;
    let file = certified::parse(&text).map_err(|error| {
        anyhow!("`{shown}`: {error}; `raceproof check ... --certificate {shown}` writes one")
    })?;
    let inputs: Vec<PathBuf> = file.inputs.iter().map(PathBuf::from).collect();
    let directory = Path::new(&file.directory);
    if !inputs.iter().all(|input| input.exists()) && inputs.iter().all(|input| directory.join(input).exists())
    {
        std::env::set_current_dir(directory).with_context(|| format!("cannot go to `{}`", file.directory))?;
    }
    unchanged(&file)?;
    let (report, inputs) = (&file.report, resolve::inputs(&inputs)?);
    let build = report.build.clone().unwrap_or_default();
    let mut compiled = Compiled::new(&inputs, &report.flags, &build, Budget::default());
    match decide::certify(&inputs, report, &file.certificates, &mut compiled)? {
        Ok(runs) => {
            let runs = if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
            output::print(&format!(
                "certified: what the verdict race-free rests on holds in {runs} of the checker's own\n"
            ))?;
            Ok(0)
        }
        Err(rejected) => {
            let place = rejected.place.map_or(String::new(), |place| format!("{place}: "));
            let why = report::reason::words(&rejected.reason);
            output::print(&format!("refused: {place}{why}\n"))?;
            Ok(REFUSED)
        }
    }
}

/// A certificate is about these sources and no others.
fn unchanged(file: &CertificateFile) -> Result<()> {
    for source in &file.sources {
        let bytes = std::fs::read(&source.file).with_context(|| format!("cannot read `{}`", source.file))?;
        if sha256(&bytes) != source.sha256 {
            bail!(
                "`{}` has changed since the check: run the check again to get a certificate for it",
                source.file
            );
        }
    }
    Ok(())
}

//! An experiment on a real Slurm: a controller and two machines that are processes of this one. A machine
//! is lost in the middle; the result is that of a single machine all the same, game for game.
//!
//! Where Slurm is not installed the test says that it skips; with the environment variable
//! `REGULUS_NEEDS_SLURM` it fails instead.

#![cfg(target_os = "linux")]

mod experiment;

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use experiment::{count, experiment, good, record_files, records, regulus};

/// Programs of Debian's packages slurm-wlm and munge.
const NEEDED: [&str; 8] =
    ["munged", "mungekey", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scontrol"];

/// Nothing takes this long; it ends a test that hangs.
const TOO_LONG: Duration = Duration::from_secs(600);

/// Where administrators' programs are, too.
fn search_path() -> String {
    format!("{}:/usr/sbin:/usr/local/sbin:/sbin", std::env::var("PATH").unwrap_or_default())
}

fn find(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&search_path()).map(|folder| folder.join(program)).find(|p| p.is_file())
}

/// Waits until something is true.
fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < TOO_LONG, "waited too long until {what}");
        std::thread::yield_now();
    }
}

/// The word for this user.
fn user() -> String {
    let output = Command::new("id").arg("-un").output().expect("id");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Processes of this test, by something in their environment.
fn processes(mark: &str) -> Vec<u32> {
    let numbers = fs::read_dir("/proc")
        .expect("processes")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let marked = |process: &u32| {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        *process != std::process::id() && variables.any(|variable| variable == mark.as_bytes())
    };
    numbers.filter(marked).collect()
}

/// The process of Slurm that manages the job a process belongs to, if it is its parent.
fn manager(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()?;
    let name = fs::read_to_string(format!("/proc/{parent}/comm")).ok()?;
    name.starts_with("slurmstepd").then_some(parent)
}

fn kill(processes: &[u32]) {
    let numbers = processes.iter().map(u32::to_string);
    // Some may have ended.
    let _ = Command::new("kill").arg("-9").args(numbers).stderr(Stdio::null()).status();
}

fn kill_all(mark: &str) {
    // New ones may come while the others are killed.
    wait_until("all processes have ended", || {
        let found = processes(mark);
        kill(&found);
        found.is_empty()
    });
}

/// A Slurm of two machines with two processors each.
struct Cluster {
    folder: PathBuf,
    children: Vec<(String, Child)>,
}

impl Cluster {
    fn start(folder: &Path) -> Self {
        let mut cluster = Cluster { folder: folder.to_owned(), children: Vec::new() };
        fs::create_dir_all(folder.join("state")).expect("a folder");
        let at = |name: &str| folder.join(name).display().to_string();
        let made = Command::new(find("mungekey").expect("mungekey"))
            .args(["--create", "--keyfile", &at("munge.key")])
            .status();
        assert!(made.expect("mungekey can be started").success());
        let munge = [
            "--foreground".to_owned(),
            // A folder that belongs to a test is as safe as it needs to be.
            "--force".to_owned(),
            format!("--key-file={}", at("munge.key")),
            format!("--socket={}", at("munge.socket")),
            format!("--pid-file={}", at("munged.pid")),
            format!("--log-file={}", at("munged.log")),
            format!("--seed-file={}", at("munged.seed")),
        ];
        cluster.spawn("munged", "munged", &munge);
        wait_until("munged listens", || {
            cluster.assert_running();
            folder.join("munge.socket").exists()
        });
        fs::write(folder.join("slurm.conf"), configuration(folder)).expect("written");
        cluster.spawn("slurmctld", "slurmctld", &["-D".to_owned()]);
        for node in ["node1", "node2"] {
            let arguments = ["-D".to_owned(), "-N".to_owned(), node.to_owned()];
            cluster.spawn(node, "slurmd", &arguments);
        }
        wait_until("both machines are idle", || {
            cluster.assert_running();
            cluster.say("sinfo", &["-h", "-N", "-o", "%N %t"]) == "node1 idle\nnode2 idle\n"
        });
        cluster
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(find(program).expect("a program of Slurm"));
        command.env("SLURM_CONF", self.folder.join("slurm.conf"));
        command.env("PATH", search_path()).stdin(Stdio::null());
        command
    }

    fn spawn(&mut self, name: &str, program: &str, arguments: &[String]) {
        let log = fs::File::create(self.folder.join(format!("{name}.out"))).expect("a file");
        let child = self
            .command(program)
            .args(arguments)
            .env("REGULUS_TEST_CLUSTER", &self.folder)
            .stdout(log.try_clone().expect("a file"))
            .stderr(log)
            .spawn();
        self.children.push((name.to_owned(), child.expect("a program of Slurm can be started")));
    }

    /// A daemon that has ended will not do what we wait for.
    fn assert_running(&mut self) {
        for (name, child) in &mut self.children {
            assert!(child.try_wait().expect("a process").is_none(), "{name} has ended");
        }
    }

    /// What a command prints.
    fn say(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().expect("it can be started");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// A machine is gone at once, with everything that runs on it. The daemon and the managers of jobs go
    /// first, so that they do not tell the controller that jobs have ended.
    fn lose(&mut self, node: &str) {
        for (_, daemon) in self.children.iter_mut().filter(|(name, _)| name == node) {
            daemon.kill().expect("it is killed");
            daemon.wait().expect("it ends");
        }
        let ours = processes(&format!("SLURM_CONF={}", self.folder.join("slurm.conf").display()));
        let mut jobs = processes(&format!("SLURMD_NODENAME={node}"));
        jobs.retain(|process| ours.contains(process));
        let mut managers: Vec<u32> = jobs.iter().filter_map(|job| manager(*job)).collect();
        managers.dedup();
        assert!(!managers.is_empty(), "no job runs on {node}");
        kill(&managers);
        kill(&jobs);
    }

    /// What the daemons have written, for whoever wants to know why a test has failed.
    fn logs(&self) -> String {
        let mut text = String::new();
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for path in files.map(|entry| entry.path()) {
            if path.extension().is_some_and(|e| e == "out") {
                let log = fs::read_to_string(&path).unwrap_or_default();
                let lines: Vec<&str> = log.lines().rev().take(40).collect();
                text += &format!("== {}\n", path.display());
                lines.iter().rev().for_each(|line| text += &format!("{line}\n"));
            }
        }
        text
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = writeln!(std::io::stderr(), "{}", self.logs());
        }
        self.say("scancel", &["--user", &user()]);
        kill_all(&format!("SLURM_CONF={}", self.folder.join("slurm.conf").display()));
        kill_all(&format!("REGULUS_TEST_CLUSTER={}", self.folder.display()));
        for (_, child) in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn configuration(folder: &Path) -> String {
    let folder = folder.display();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
    let host = host.trim().split('.').next().unwrap_or_default().to_owned();
    // All are open at the same time, so that they differ.
    let open: Vec<TcpListener> =
        (0..3).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let ports: Vec<u16> = open.iter().map(|l| l.local_addr().expect("an address").port()).collect();
    let user = user();
    format!(
        "ClusterName=regulus\n\
         SlurmctldHost={host}(127.0.0.1)\n\
         SlurmctldPort={}\n\
         SlurmUser={user}\n\
         SlurmdUser={user}\n\
         AuthType=auth/munge\n\
         CredType=cred/munge\n\
         # Requeued jobs wait until their old credentials have expired.\n\
         AuthInfo=socket={folder}/munge.socket,cred_expire=5\n\
         StateSaveLocation={folder}/state\n\
         SlurmctldPidFile={folder}/slurmctld.pid\n\
         SlurmctldLogFile={folder}/slurmctld.log\n\
         SlurmdPidFile={folder}/slurmd-%n.pid\n\
         SlurmdLogFile={folder}/slurmd-%n.log\n\
         SlurmdSpoolDir={folder}/spool-%n\n\
         SlurmdParameters=config_overrides\n\
         SlurmdTimeout=5\n\
         ProctrackType=proctrack/linuxproc\n\
         TaskPlugin=task/none\n\
         JobAcctGatherType=jobacct_gather/none\n\
         SelectType=select/cons_tres\n\
         SelectTypeParameters=CR_CPU\n\
         MpiDefault=none\n\
         # Jobs that are queued again need not wait for the next look at the queue.\n\
         SchedulerParameters=bf_interval=1,sched_interval=1\n\
         NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=2 State=UNKNOWN\n\
         NodeName=node2 NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=2 State=UNKNOWN\n\
         PartitionName=main Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP\n",
        ports[0], ports[1], ports[2]
    )
}

fn declaration(games: u32) -> String {
    format!(
        "title = \"On a cluster\"\n\
         games = [\"breakthrough\"]\n\
         baseline = \"mcts_orthodox_orthodox\"\n\
         agents = [\"mctsM_semisplitNodal_semisplit\", \"mctsM_orthodox_semisplit\"]\n\
         limits = [\"sims=200\"]\n\
         games_per_pair = {games}\n"
    )
}

#[test]
fn a_lost_machine_changes_nothing() {
    let missing: Vec<&str> = NEEDED.into_iter().filter(|name| find(name).is_none()).collect();
    if !missing.is_empty() {
        assert!(std::env::var_os("REGULUS_NEEDS_SLURM").is_none(), "there is no {missing:?}");
        // Directly, since the output of a test that passes is not shown.
        let _ = writeln!(std::io::stderr(), "skipped: Slurm is not installed ({missing:?})");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let cluster_folder = path.join("cluster");
    fs::create_dir(&cluster_folder).expect("a folder");
    let mut cluster = Cluster::start(&cluster_folder);
    for attempt in 0..6 {
        // On a fast machine everything may be over before a machine was lost: then there is more to do.
        let games = 100 << attempt;
        let name = format!("table{attempt}");
        let (file, directory) = (format!("{name}.toml"), path.join("results").join(&name));
        fs::write(path.join(&file), declaration(games)).expect("written");
        good(&experiment(path, &["plan", &file]));
        if lose_a_machine(&mut cluster, path, &directory) {
            let single = path.join("single");
            good(&experiment(path, &["run", &file, "--dir", "single"]));
            let expected = records(&single);
            assert_eq!(expected.len(), 2 * games as usize);
            assert!(records(&directory) == expected, "the games differ");
            return;
        }
        fs::remove_dir_all(&directory).expect("removed");
    }
    panic!("this machine is too fast");
}

/// Plays an experiment on the cluster and loses a machine in the middle. False if it was over before.
fn lose_a_machine(cluster: &mut Cluster, path: &Path, directory: &Path) -> bool {
    let submitted = regulus(path)
        .args(["experiment", "submit"])
        .arg(directory)
        .args(["--slurm", "--shards", "8", "--partition", "main", "--time", "60"])
        .env("SLURM_CONF", cluster.folder.join("slurm.conf"))
        .env("PATH", search_path())
        .output()
        .expect("regulus can be started");
    assert!(good(&submitted).starts_with("Submitted batch job "));
    let running = |cluster: &Cluster, node: &str| {
        cluster.say("squeue", &["-h", "-t", "R", "-w", node, "-o", "%A_%a"]).lines().count()
    };
    let over = |cluster: &Cluster| cluster.say("squeue", &["-h", "-o", "%A"]).is_empty();
    wait_until("jobs play on both machines", || {
        over(cluster)
            || (running(cluster, "node1") > 0
                && running(cluster, "node2") > 0
                && record_files(directory).len() > 2
                && count(directory) > 4)
    });
    if over(cluster) {
        return false;
    }
    cluster.lose("node2");
    wait_until("the lost jobs are queued again", || {
        cluster.say("sinfo", &["-h", "-n", "node2", "-o", "%t"]).starts_with("down")
    });
    wait_until("all jobs are over", || over(cluster));
    // Somebody has begun where another one was lost.
    let workers = fs::read_dir(directory.join("manifest")).expect("manifests").count();
    assert!(workers > 8, "{workers} have worked on 8 shares");
    true
}

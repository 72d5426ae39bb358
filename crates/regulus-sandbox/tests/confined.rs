//! Real processes that try what they may not do. This program starts itself: with the argument `attempt` it is the
//! process that is confined, and then tries something.

#![allow(unsafe_code, reason = "some attempts break memory, or use what others have opened")]

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn main() {
    println!("skipped: there is no filter of system calls on this system");
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("attempt") => attempts::attempt(&arguments[1..]),
        Some("parent") => attempts::parent(),
        _ => tests::all(&arguments),
    }
}

/// What is done in the process that is confined.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod attempts {
    use std::collections::HashMap;
    use std::fs::File;
    use std::io::{self, BufRead, Write};
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::fd::BorrowedFd;
    use std::os::unix::net::UnixStream;
    use std::process::Command;
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    use regulus_sandbox::{Limits, Program, confine};

    /// The last argument has the limits, the first says what is tried, the second with what.
    pub fn attempt(arguments: &[String]) {
        let limits: Limits = arguments.last().expect("limits").parse().expect("limits");
        confine(&limits).expect("everything can be given up");
        let with = &arguments[1];
        let done = match arguments[0].as_str() {
            "work" => work(),
            "read a file" => File::open(with).map(|_| "opened".to_owned()),
            "write a file" => File::create(with).map(|_| "created".to_owned()),
            "connect" => TcpStream::connect(with).map(|_| "connected".to_owned()),
            "listen" => TcpListener::bind("127.0.0.1:0").map(|_| "listens".to_owned()),
            "send" => UdpSocket::bind("127.0.0.1:0").map(|_| "sends".to_owned()),
            "local socket" => UnixStream::pair().map(|_| "a pair".to_owned()),
            "start a program" => Command::new(with).status().map(|_| "started".to_owned()),
            "become a program" => {
                Err(std::os::unix::process::CommandExt::exec(&mut Command::new(with)))
            }
            "signal" => {
                let process = rustix::process::Pid::from_raw(with.parse().expect("a number"));
                let process = process.expect("a process");
                rustix::process::test_kill_process(process)
                    .map_err(Into::into)
                    .map(|()| "told".to_owned())
            }
            "raise a limit" => {
                let unlimited = rustix::process::Rlimit { current: None, maximum: None };
                let raised = rustix::process::setrlimit(rustix::process::Resource::As, unlimited);
                raised.map_err(Into::into).map(|()| "raised".to_owned())
            }
            "use a descriptor" => {
                // SAFETY: the parent has left this descriptor open for us, and nobody closes it.
                let file = unsafe { BorrowedFd::borrow_raw(with.parse().expect("a number")) };
                rustix::io::write(file, b"here").map_err(Into::into).map(|_| "written".to_owned())
            }
            "fork" => {
                // SAFETY: neither process does anything with what others hold.
                match unsafe { libc::fork() } {
                    -1 => Err(io::Error::last_os_error()),
                    _ => Ok("two processes".to_owned()),
                }
            }
            "crash" => {
                // SAFETY: none; this is what generated code must never do.
                unsafe { std::ptr::null_mut::<u8>().write_volatile(1) };
                Ok("written to nowhere".to_owned())
            }
            "eat memory" => {
                let mut eaten = Vec::new();
                loop {
                    eaten.push(vec![1u8; 1 << 20]);
                }
            }
            "recurse" => Ok(deep(0).to_string()),
            "panic" => panic!("this was not thought of"),
            "spin" => {
                say("spinning");
                loop {
                    std::hint::spin_loop();
                }
            }
            other => panic!("{other}"),
        };
        match done {
            Ok(done) => say(&done),
            Err(error) => say(&format!("{:?}", error.kind())),
        }
    }

    fn say(text: &str) {
        let mut out = io::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush()).expect("somebody listens");
    }

    /// More than any stack has.
    #[allow(unconditional_recursion, reason = "this is what is tried")]
    fn deep(level: u64) -> u64 {
        let frame = std::hint::black_box([level; 512]);
        deep(level + 1) + frame[7]
    }

    /// What a process has to do for rules: read, compute on several threads, allocate, wait, look at the clock, write.
    fn work() -> io::Result<String> {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line)?;
        let start = Instant::now();
        let pair = Arc::new((Mutex::new(0u64), Condvar::new()));
        let workers: Vec<_> = (0..8u64)
            .map(|number| {
                let pair = Arc::clone(&pair);
                thread::Builder::new().name(format!("worker {number}")).stack_size(8 << 20).spawn(
                    move || {
                        let sizes = (1..200).map(|size| size * 500);
                        let bytes: Vec<Vec<u8>> = sizes.map(|size| vec![1; size]).collect();
                        let map: HashMap<u64, u64> = (0..1000).map(|n| (n, n * number)).collect();
                        // Waiting by the clock is one of the things to be allowed.
                        thread::sleep(Duration::from_millis(1));
                        let sum = bytes.iter().map(|b| u64::from(b[b.len() - 1])).sum::<u64>();
                        *pair.0.lock().expect("nobody panics") += sum + map[&0];
                        pair.1.notify_all();
                    },
                )
            })
            .collect::<io::Result<_>>()?;
        let done = pair.1.wait_timeout_while(
            pair.0.lock().expect("nobody panics"),
            Duration::from_secs(60),
            |sum| *sum < 8 * 199,
        );
        drop(done.expect("nobody panics"));
        for worker in workers {
            worker.join().expect("nobody panics");
        }
        // What the library asks the system about, and goes without an answer.
        let _ = thread::available_parallelism();
        assert!(start.elapsed() > Duration::ZERO);
        // A panic that is caught is no end.
        let caught = thread::spawn(|| panic!("caught")).join();
        assert!(caught.is_err());
        let sum = *pair.0.lock().expect("nobody panics");
        Ok(format!("{} {sum}", line.trim()))
    }

    /// A parent that says which process it has started, and does not end.
    pub fn parent() {
        let arguments = ["attempt", "spin", ""];
        let program = Program::this(&arguments).expect("a program");
        let limits = Limits { memory: 1 << 30, niceness: 0 };
        let mut child = program.command(&limits).spawn().expect("a process");
        let mut line = String::new();
        let mut out = io::BufReader::new(child.stdout.take().expect("a pipe"));
        out.read_line(&mut line).expect("a line");
        say(&child.id().to_string());
        let _ = child.wait();
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use std::fs::File;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;
    use std::os::fd::AsRawFd;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::thread;

    use regulus_sandbox::{Ending, Limits, Program};

    const MEMORY: u64 = 512 << 20;

    pub fn all(arguments: &[String]) {
        let tests: [(&str, fn()); 9] = [
            ("work_goes_on", work_goes_on),
            ("files_are_refused", files_are_refused),
            ("other_calls_end_it", other_calls_end_it),
            ("what_is_inherited_is_of_no_use", what_is_inherited_is_of_no_use),
            ("crashes_are_told", crashes_are_told),
            ("memory_is_limited", memory_is_limited),
            ("it_can_be_killed", it_can_be_killed),
            ("it_ends_with_its_parent", it_ends_with_its_parent),
            ("it_has_no_environment", it_has_no_environment),
        ];
        let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
        for (name, test) in tests {
            if wanted.is_none_or(|wanted| name.contains(wanted.as_str())) {
                test();
                println!("test {name} ... ok");
            }
        }
    }

    fn start(what: &str, with: &str) -> Child {
        let program = Program::this(&["attempt", what, with]).expect("a program");
        let limits = Limits { memory: MEMORY, niceness: 3 };
        program.command(&limits).spawn().expect("a process")
    }

    /// What a process has said, and how it has ended.
    fn outcome(mut child: Child) -> (String, Ending) {
        drop(child.stdin.take());
        let mut err = child.stderr.take().expect("a pipe");
        let messages = thread::spawn(move || {
            let mut text = String::new();
            err.read_to_string(&mut text).expect("text");
            text
        });
        let mut said = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut said).expect("text");
        let messages = messages.join().expect("read");
        let status = child.wait().expect("an end");
        (said.trim().to_owned(), Ending::new(status, &messages, MEMORY))
    }

    fn try_to(what: &str, with: &str) -> (String, Ending) {
        outcome(start(what, with))
    }

    fn work_goes_on() {
        let mut child = start("work", "");
        child.stdin.as_mut().expect("a pipe").write_all(b"hello\n").expect("sent");
        let (said, ending) = outcome(child);
        assert_eq!(said, "hello 1592", "{ending:?}");
    }

    fn files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let (there, new) = (folder.path().join("there"), folder.path().join("new"));
        std::fs::write(&there, "secret").expect("a file");
        let path = |path: &Path| path.to_str().expect("text").to_owned();
        assert_eq!(try_to("read a file", &path(&there)).0, "PermissionDenied");
        assert_eq!(try_to("write a file", &path(&new)).0, "PermissionDenied");
        assert!(!new.exists());
        assert_eq!(try_to("raise a limit", "").0, "PermissionDenied");
    }

    fn other_calls_end_it() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("bound").to_string();
        let own = std::process::id().to_string();
        for (what, with) in [
            ("connect", address.as_str()),
            ("listen", ""),
            ("send", ""),
            ("local socket", ""),
            ("start a program", "/bin/true"),
            ("become a program", "/bin/true"),
            ("fork", ""),
            ("signal", &own),
        ] {
            assert_eq!(try_to(what, with), (String::new(), Ending::Forbidden), "{what}");
        }
    }

    fn what_is_inherited_is_of_no_use() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("open");
        let file = File::create(&path).expect("a file");
        rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).expect("inherited");
        let number = file.as_raw_fd().to_string();
        assert_eq!(try_to("use a descriptor", &number), (String::new(), Ending::Forbidden));
        assert_eq!(std::fs::read(&path).expect("a file"), b"");
    }

    fn crashes_are_told() {
        assert_eq!(try_to("crash", "").1, Ending::Crashed("SIGSEGV".to_owned()));
        assert_eq!(try_to("recurse", "").1, Ending::Stack);
        let Ending::Failed(message) = try_to("panic", "").1 else { panic!("a panic is no crash") };
        assert!(message.contains("not thought of"), "{message}");
    }

    fn memory_is_limited() {
        let (_, ending) = try_to("eat memory", "");
        assert_eq!(ending, Ending::Memory(MEMORY));
        assert_eq!(ending.to_string(), "the rules need more than 512 MB of memory");
    }

    fn spinning(child: &mut Child) {
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.as_mut().expect("a pipe"));
        out.read_line(&mut line).expect("a line");
        assert_eq!(line, "spinning\n");
    }

    fn it_can_be_killed() {
        let mut child = start("spin", "");
        spinning(&mut child);
        child.kill().expect("it is there");
        assert_eq!(outcome(child).1, Ending::Killed("SIGKILL".to_owned()));
    }

    fn it_ends_with_its_parent() {
        let this = std::env::current_exe().expect("a program");
        let mut parent =
            Command::new(this).arg("parent").stdout(Stdio::piped()).spawn().expect("a process");
        let mut line = String::new();
        let mut out = BufReader::new(parent.stdout.take().expect("a pipe"));
        out.read_line(&mut line).expect("a line");
        let process = Path::new("/proc").join(line.trim());
        assert!(process.exists());
        parent.kill().expect("it is there");
        parent.wait().expect("an end");
        // Whoever has adopted the orphan may leave it as a zombie.
        let alive = || {
            let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        };
        while alive() {
            thread::yield_now();
        }
    }

    fn it_has_no_environment() {
        let mut child = start("spin", "");
        spinning(&mut child);
        let folder = Path::new("/proc").join(child.id().to_string());
        let status = std::fs::read_to_string(folder.join("status")).expect("readable");
        for line in ["NoNewPrivs:\t1", "Seccomp:\t2"] {
            assert!(status.contains(line), "{status}");
        }
        // Only root may look at a process that is not dumpable.
        if let Ok(environment) = std::fs::read(folder.join("environ")) {
            assert_eq!(environment, b"");
        }
        child.kill().expect("it is there");
        child.wait().expect("an end");
    }
}

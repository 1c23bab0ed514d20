//! A connection of a camera: its commands, one after the other.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use app::App;
use app::photos::{Accepted, TempFile};
use app::uploads::ftp::{self, Camera, Taken};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::certificate::Tls;
use crate::commands::Command;
use crate::control::Control;
use crate::dialogue::Dialogue;
use crate::folder;
use crate::replies::Reply;
use crate::transfers::{Data, Stopped};
use crate::{Certificate, Config, passive};

/// Wrong logins after which a connection is closed.
const WRONG_LOGINS: u32 = 3;
/// Commands that may come while a file does.
const COMMANDS_WAITING: usize = 16;

/// What all sessions share.
pub(crate) struct Shared {
    pub(crate) app: App,
    pub(crate) config: Config,
    /// How many ports of passive mode were opened: the next is looked for behind it.
    pub(crate) ports_used: AtomicUsize,
}

struct Session {
    shared: Arc<Shared>,
    peer: IpAddr,
    local: IpAddr,
    /// The name that was given, until the password comes.
    name: Option<String>,
    wrong_logins: u32,
    camera: Option<Camera>,
    dialogue: Dialogue,
    /// Once TLS is spoken.
    tls: Option<Tls>,
    passive: Option<TcpListener>,
    /// Commands that came while a file did.
    waiting: VecDeque<String>,
    /// Raw data whose pictures are there.
    left_out: u64,
}

/// What follows a command.
enum Next {
    Command,
    Encryption,
    End,
}

/// What another than the client of the control connection is told, and a client that cannot show that it is the same.
fn not_resumed() -> Reply {
    Reply::new(522, "A data connection has to resume the TLS session of its control connection.")
}

/// What became of work during which commands may come.
enum Watched<T> {
    Done(T),
    Aborted,
}

/// Serves a connection to its end.
///
/// # Errors
/// When it fails.
pub(crate) async fn run(stream: TcpStream, shared: Arc<Shared>, stop: CancellationToken) -> io::Result<()> {
    // Replies are written whole.
    stream.set_nodelay(true)?;
    let patience = shared.config.patience;
    let (peer, local) = (stream.peer_addr()?.ip().to_canonical(), stream.local_addr()?.ip().to_canonical());
    let log_in_by = Instant::now() + patience.login;
    let mut control = Control::new(stream, patience.data);
    let mut session = Session::new(shared, peer, local);
    control.send(&Reply::new(220, "Afterglow takes your photos")).await?;
    loop {
        let ends_at = if session.camera.is_some() { Instant::now() + patience.idle } else { log_in_by };
        let line = tokio::select! {
            biased;
            () = stop.cancelled() => {
                control.send(&Reply::new(421, "The service is stopping. Please connect again.")).await?;
                return Ok(());
            }
            line = session.next_line(&mut control) => line?,
            () = tokio::time::sleep_until(ends_at) => {
                control.send(&Reply::new(421, "No command has come in time. Please connect again.")).await?;
                return Ok(());
            }
        };
        let Some(line) = line else { return Ok(()) };
        match session.perform(&mut control, &line).await? {
            Next::Command => {}
            Next::Encryption => {
                let tls = session.read_certificate().await?;
                control = control.encrypt(&tls.control).await?;
                session.tls = Some(tls);
                session.dialogue.is_encrypted = control.is_encrypted();
            }
            Next::End => {
                control.close().await;
                return Ok(());
            }
        }
    }
}

impl Session {
    fn new(shared: Arc<Shared>, peer: IpAddr, local: IpAddr) -> Self {
        let dialogue = Dialogue::new(shared.config.certificate.is_some(), shared.config.allows_plain);
        Self {
            shared,
            peer,
            local,
            name: None,
            wrong_logins: 0,
            camera: None,
            dialogue,
            tls: None,
            passive: None,
            waiting: VecDeque::new(),
            left_out: 0,
        }
    }

    async fn next_line(&mut self, control: &mut Control) -> io::Result<Option<String>> {
        match self.waiting.pop_front() {
            Some(line) => Ok(Some(line)),
            None => control.read_line().await,
        }
    }

    async fn perform(&mut self, control: &mut Control, line: &str) -> io::Result<Next> {
        let command = Command::parse(line);
        let renaming = self.dialogue.renaming.take();
        let Some(camera) = self.camera.clone() else {
            return self.before_login(control, command).await;
        };
        let reply = match command {
            Command::Quit => return quit(control).await,
            Command::Stor(path) => self.store(control, &camera, path).await?,
            Command::Rnto(path) if renaming.is_some() => {
                self.rename(&camera, &renaming.unwrap_or_default(), path).await
            }
            Command::List(path) => self.list(control, path, folder::StoredFile::line).await?,
            Command::Nlst(path) => self.list(control, path, |file| file.name().to_owned()).await?,
            Command::Pasv => self.listen(false).await?,
            Command::Epsv(argument) if argument.eq_ignore_ascii_case("ALL") => Reply::new(200, "EPSV alone"),
            Command::Epsv(_) => self.listen(true).await?,
            Command::User(_) | Command::Pass(_) | Command::Auth(_) => {
                Reply::new(503, "You are logged in. Please open another connection to log in again.")
            }
            command => self.dialogue.answer(&command),
        };
        control.send(&reply).await?;
        Ok(Next::Command)
    }

    async fn before_login(&mut self, control: &mut Control, command: Command<'_>) -> io::Result<Next> {
        let config = &self.shared.config;
        let reply = match command {
            Command::Quit => return quit(control).await,
            Command::Auth(kind) if config.certificate.is_some() && !self.dialogue.is_encrypted => {
                if matches!(kind.to_ascii_uppercase().as_str(), "TLS" | "TLS-C" | "SSL") {
                    control.send(&Reply::new(234, "TLS begins")).await?;
                    return Ok(Next::Encryption);
                }
                Reply::new(504, "Please choose TLS.")
            }
            Command::Auth(_) => Reply::new(502, "TLS is not offered here, or is spoken already."),
            Command::User(_) if !self.dialogue.is_encrypted && !config.allows_plain => Reply::new(
                530,
                "Please choose FTPS (explicit TLS): nothing is taken here without encryption.",
            ),
            Command::User(name) => {
                self.name = Some(name.to_owned());
                Reply::new(331, "Please send the password.")
            }
            Command::Pass(password) => {
                let reply = self.log_in(password).await;
                control.send(&reply).await?;
                return Ok(if self.wrong_logins >= WRONG_LOGINS { Next::End } else { Next::Command });
            }
            command if command.is_open() => self.dialogue.answer(&command),
            _ => Reply::new(530, "Please log in first."),
        };
        control.send(&reply).await?;
        Ok(Next::Command)
    }

    async fn log_in(&mut self, password: &str) -> Reply {
        let Some(name) = self.name.take() else { return Reply::new(503, "Please send the user name first.") };
        match ftp::log_in(&self.shared.app, &name, password, self.peer).await {
            Ok(camera) => {
                self.camera = Some(camera);
                Reply::new(230, "Logged in. What you store goes into the event.")
            }
            Err(failure) => {
                self.wrong_logins += 1;
                Reply::of_login(&failure)
            }
        }
    }

    async fn listen(&mut self, extended: bool) -> io::Result<Reply> {
        self.passive = None;
        let config = &self.shared.config;
        // A port that was opened for IPv6 is reached at no address of IPv4.
        let told = match self.local {
            IpAddr::V4(address) => Some(config.passive_address.unwrap_or(address)),
            IpAddr::V6(_) => None,
        };
        let start = self.shared.ports_used.fetch_add(1, Ordering::Relaxed);
        let Some(listener) = passive::listen(self.local, &config.passive_ports, start).await else {
            tracing::warn!("no port of passive mode is free: `ftp_passive_ports` are too few");
            return Ok(Reply::new(425, "No port is free. Please try again later."));
        };
        let port = listener.local_addr()?.port();
        let reply = match (extended, told) {
            (true, _) => Reply::new(229, format!("Passive mode (|||{port}|)")),
            (false, Some(address)) => {
                let [a, b, c, d] = address.octets();
                Reply::new(227, format!("Passive mode ({a},{b},{c},{d},{},{})", port >> 8, port & 0xFF))
            }
            (false, None) => return Ok(Reply::new(425, "This is IPv6: please send EPSV.")),
        };
        self.passive = Some(listener);
        Ok(reply)
    }

    /// The data connection of the next transfer, or why there is none.
    async fn data(&mut self) -> io::Result<Result<Data, Reply>> {
        let Some(listener) = self.passive.take() else {
            return Ok(Err(Reply::new(425, "Please choose passive mode (PASV or EPSV) first.")));
        };
        if !self.dialogue.encrypts_data && !self.shared.config.allows_plain {
            return Ok(Err(Reply::new(521, "Data has to be encrypted: please send PROT P.")));
        }
        let patience = self.shared.config.patience.data;
        let Ok(stream) = passive::accept(listener, self.peer, patience).await else {
            return Ok(Err(Reply::new(425, "No data connection was opened.")));
        };
        let tls = self.tls.as_ref().filter(|_| self.dialogue.encrypts_data);
        let tls = tls.map(|tls| (tls.data.clone(), tls.resumption));
        Ok(Ok(Data { stream, tls, patience }))
    }

    async fn read_certificate(&self) -> io::Result<Tls> {
        let shared = self.shared.clone();
        let read = move || shared.config.certificate.as_ref().map(Certificate::tls);
        tokio::task::spawn_blocking(read).await?.ok_or_else(|| ErrorKind::Unsupported.into())
    }

    async fn list(
        &mut self,
        control: &mut Control,
        argument: &str,
        line: impl Fn(&folder::StoredFile) -> String,
    ) -> io::Result<Reply> {
        // Options of `ls`, which clients send because many servers take them.
        let path = argument.split(' ').skip_while(|part| part.starts_with('-')).collect::<Vec<_>>().join(" ");
        let text: String = self.dialogue.folder.listed(&path).map(|file| line(file) + "\r\n").collect();
        let data = match self.data().await? {
            Ok(data) => data,
            Err(reply) => return Ok(reply),
        };
        control.send(&Reply::new(150, "The list follows")).await?;
        Ok(match data.send(&text).await {
            Ok(()) => Reply::new(226, "That is all"),
            Err(Stopped::NotResumed) => not_resumed(),
            Err(_) => Reply::new(426, "The list could not be sent."),
        })
    }

    async fn store(&mut self, control: &mut Control, camera: &Camera, path: &str) -> io::Result<Reply> {
        let (announced, shared) = (self.dialogue.announced.take(), self.shared.clone());
        let Some(path) = self.dialogue.folder.resolve(path).filter(|path| path != "/") else {
            self.passive = None;
            return Ok(Reply::new(553, "This name cannot be used."));
        };
        let _admission = match ftp::admit(&shared.app, camera).await {
            Ok(admission) => admission,
            Err(failure) => {
                self.passive = None;
                return Ok(Reply::of_photo(&failure));
            }
        };
        let data = match self.data().await? {
            Ok(data) => data,
            Err(reply) => return Ok(reply),
        };
        control.send(&Reply::new(150, "Please send the file")).await?;
        let received = self.watch(control, data.receive(&shared.app, announced)).await?;
        Ok(match received {
            Watched::Done(Ok(file)) => self.take_in(camera, path, file).await,
            Watched::Done(Err(Stopped::Failed(failure))) => Reply::of_photo(&failure),
            Watched::Done(Err(Stopped::NotResumed)) => not_resumed(),
            Watched::Done(Err(Stopped::Cut)) => {
                Reply::new(426, "The file did not come to its end, and nothing of it is kept.")
            }
            Watched::Aborted => {
                control.send(&Reply::new(426, "The file is not kept.")).await?;
                Reply::new(226, "Aborted")
            }
        })
    }

    /// Does work to its end, and keeps the commands that come meanwhile. A client that gives up its control connection has given
    /// up the file.
    async fn watch<T>(
        &mut self,
        control: &mut Control,
        work: impl Future<Output = T>,
    ) -> io::Result<Watched<T>> {
        let mut work = pin!(work);
        loop {
            let line = tokio::select! {
                // The control connection first: when both end at once, the client has died.
                biased;
                line = control.read_line() => line?,
                done = &mut work => return Ok(Watched::Done(done)),
            };
            match line {
                Some(line) if Command::parse(&line) == Command::Abor => return Ok(Watched::Aborted),
                Some(line) if self.waiting.len() < COMMANDS_WAITING => self.waiting.push_back(line),
                _ => return Err(ErrorKind::ConnectionAborted.into()),
            }
        }
    }

    /// Gives the photo of a file the other name, unless its bytes were there before under a name of their own.
    async fn rename(&mut self, camera: &Camera, from: &str, path: &str) -> Reply {
        let Some(path) = self.dialogue.folder.resolve(path).filter(|path| path != "/") else {
            return Reply::new(553, "This name cannot be used.");
        };
        let Some(file) = self.dialogue.folder.find(from) else {
            return Reply::new(550, "This session has stored no such file.");
        };
        let (former, name) = (folder::photo_name(from), folder::photo_name(&path));
        if let Some(photo) = file.photo().filter(|_| name != former)
            && let Err(failure) = ftp::rename(&self.shared.app, camera, photo, name).await
        {
            return Reply::of_photo(&failure);
        }
        self.dialogue.folder.rename(from, path);
        Reply::new(250, "The photo has its name")
    }

    /// Whatever the name is: after the answer the client may delete its file, and may never come back to rename it.
    async fn take_in(&mut self, camera: &Camera, path: String, file: TempFile) -> Reply {
        let (app, size) = (&self.shared.app, file.size());
        let (photo, text) = match ftp::take_in(app, camera, folder::photo_name(&path), file).await {
            Ok(Taken::Photo(Accepted::New(photo) | Accepted::Replaced(photo))) => {
                (Some(photo.id), String::from("The photo is taken in"))
            }
            Ok(Taken::Photo(Accepted::Duplicate(_) | Accepted::OfSomebodyElse(_))) => {
                (None, String::from("The event has this photo already; nothing was charged"))
            }
            Ok(Taken::LeftOut) => {
                self.left_out += 1;
                let files = if self.left_out == 1 { "file" } else { "files" };
                (None, format!("The event has its picture: {} RAW {files} left out", self.left_out))
            }
            Err(failure) => return Reply::of_photo(&failure),
        };
        self.dialogue.folder.add(path, photo, size, app.now());
        Reply::new(226, text)
    }
}

async fn quit(control: &mut Control) -> io::Result<Next> {
    control.send(&Reply::new(221, "Goodbye")).await?;
    Ok(Next::End)
}

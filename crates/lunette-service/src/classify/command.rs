//! Lines that are commands of a shell.
//!
//! What must hold: a sentence that begins with the name of a command (`find the keys`, `cut the grass`) is none.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::prose::is_function_word;

/// A set of words.
type Words = LazyLock<HashSet<&'static str>>;

/// Programs whose names are not words of prose.
static PROGRAMS: Words = LazyLock::new(|| {
    "
    ls cd mkdir rmdir rm cp mv ln pwd grep egrep rg sed awk chmod chown curl wget ssh scp rsync tar unzip sudo su apt apt-get
    yum dnf apk pacman brew snap pip pip3 npm npx yarn pnpm bun deno docker docker-compose podman kubectl helm minikube git gh
    cargo rustc rustup systemctl journalctl service vim nvim nano ps df du uname python python3 node ruby perl php java javac
    mvn gradle gcc g++ clang cmake ffmpeg convert jq psql mysql redis-cli mongo sqlite3 terraform ansible ansible-playbook aws
    az gcloud ssh-keygen ssh-add openssl nc nmap ping traceroute dig ifconfig ip iptables crontab tmux screen htop top xargs
    tee wc sort uniq conda poetry uv pytest flask django-admin rails bundle gem composer dotnet flutter adb heroku vagrant
    chsh zip gzip gunzip tail head cat less export whoami lsof pkill killall useradd usermod mount umount dd base64 sha256sum
    md5sum virtualenv source nohup env go make echo find touch kill man date cut diff patch test time which watch open"
    .split_whitespace()
    .collect()
});

/// What the programs that have commands of their own are asked for.
static SUBCOMMANDS: Words = LazyLock::new(|| {
    "
    add commit push pull clone checkout status log diff merge rebase init branch stash reset fetch remote tag switch restore
    cherry-pick config install uninstall update upgrade remove build run exec test start stop restart enable disable apply
    delete describe get logs create compose up down ps images pull rm rmi publish ci dev bench fmt clippy doc mod tidy plan
    s3 ec2 list search freeze dlx generate migrate"
    .split_whitespace()
    .collect()
});

/// Programs that take a command of their own.
static WITH_SUBCOMMANDS: Words = LazyLock::new(|| {
    "
    git npm yarn pnpm pip pip3 docker docker-compose podman kubectl helm cargo rustup apt apt-get yum dnf apk brew snap
    systemctl service go gh terraform aws az gcloud conda poetry uv bundle gem composer dotnet flutter heroku vagrant bun"
    .split_whitespace()
    .collect()
});

/// What the names of commands of PowerShell begin with.
static VERBS: Words = LazyLock::new(|| {
    "
    Add Clear Compare Connect Convert ConvertFrom ConvertTo Copy Disable Disconnect Enable Enter Exit Export Find ForEach
    Format Get Group Import Install Invoke Join Measure Move New Out Read Register Remove Rename Resolve Restart Restore
    Resume Select Send Set Sort Split Start Stop Suspend Tee Test Trace Uninstall Unregister Update Wait Where Write"
    .split_whitespace()
    .collect()
});

/// How surely a line has a command of PowerShell, such as `Get-ChildItem`: 0 or 5, or 7 if it begins with it.
pub(super) fn powershell_weight(line: &str) -> u32 {
    if !line.contains('-') {
        return 0;
    }
    let mut commands = line.split(['|', '=', '(', '{', ';']).map(str::trim_start).map(is_cmdlet);
    match commands.next() {
        Some(true) => 7,
        _ if line.starts_with(['$', '}', '|']) && commands.any(|is| is) => 6,
        _ => 0,
    }
}

/// Whether a command begins with a verb, a dash and a noun in capitals, and goes on as commands do.
fn is_cmdlet(command: &str) -> bool {
    let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
    let Some((verb, noun)) = name.split_once('-') else { return false };
    let noun = noun.trim_end_matches([')', '}']);
    VERBS.contains(verb)
        && noun.starts_with(|c: char| c.is_ascii_uppercase())
        && noun.chars().all(|c| c.is_ascii_alphanumeric())
        && !rest.split_whitespace().any(is_prose)
}

/// How surely a line is a command: 0, 3 or 5.
pub(super) fn weight(line: &str) -> u32 {
    let prompt = line.strip_prefix("$ ").or_else(|| line.strip_prefix("% "));
    let line = prompt.unwrap_or(line);
    let quoteless = without_quotes(line);
    let line = quoteless.as_str();
    let mut words = line.split_whitespace().skip_while(|word| is_setting(word));
    let Some(program) = words.next() else { return 0 };
    let program = match program {
        "sudo" => words.clone().find(|word| !word.starts_with('-')).unwrap_or(program),
        program => program,
    };
    let own = ["./", "../", "~/"].iter().any(|front| program.starts_with(front) && program.len() > front.len() + 1);
    if !own && !PROGRAMS.contains(program) {
        return 0;
    }
    let arguments: Vec<&str> = words.collect();
    if prompt.is_some() {
        return 5;
    }
    if arguments.first().is_some_and(|word| is_assignment(word)) {
        return 0;
    }
    if line.ends_with([';', '{', '?', '!']) && !line.ends_with(" {}\\;") || arguments.iter().any(|word| is_prose(word))
    {
        return 0;
    }
    let asked = WITH_SUBCOMMANDS.contains(program) && arguments.first().is_some_and(|word| SUBCOMMANDS.contains(word));
    if asked || own || line.starts_with("sudo ") || arguments.iter().any(|word| is_shell(word)) {
        return 5;
    }
    match arguments.len() {
        0 | 1
            if matches!(
                program,
                "ls" | "cd" | "mkdir" | "rm" | "pwd" | "git" | "npm" | "python" | "node" | "docker"
            ) =>
        {
            3
        }
        _ => 0,
    }
}

/// A line without what is between quotes.
fn without_quotes(line: &str) -> String {
    let (mut quote, mut bare) = (None, String::with_capacity(line.len()));
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) if c == '$' => bare.push(c),
            Some(_) => {}
            None if matches!(c, '"' | '\'') => {
                quote = Some(c);
                bare.push(c);
            }
            None => bare.push(c),
        }
    }
    bare
}

/// `NAME=value` before a command.
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    })
}

/// A sign that makes a name of what is before it.
fn is_assignment(word: &str) -> bool {
    word.starts_with('=') || matches!(word, ":=" | "<-" | "->" | "+=" | "-=" | "*=" | "!=" | ":" | "(")
}

/// An option, an operator, a path, a variable, a pattern or an address.
fn is_shell(word: &str) -> bool {
    let option = word.strip_prefix('-').map(|rest| rest.trim_start_matches('-'));
    option.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        || matches!(word, "|" | "||" | "&&" | ">" | ">>" | "<" | "\\" | "." | "..")
        || word.starts_with("./")
        || word.starts_with("~/")
        || word.starts_with("../")
        || word.starts_with("$")
        || word.starts_with("\"$")
        || word.starts_with("http://")
        || word.starts_with("https://")
        || word.starts_with("git@")
        || word.starts_with('/') && word.len() > 2 && !word[1..].starts_with('/') && word != "/?"
        || word.starts_with("*.")
        || word.contains("=$")
        || word.ends_with('/') && word.len() > 1
}

/// A word that commands do not have.
fn is_prose(word: &str) -> bool {
    let bare = word.trim_end_matches([',', '.', ':']);
    is_function_word(bare) && word != "."
        || matches!(bare, "the" | "and" | "your" | "my" | "for" | "from" | "with")
        || bare.len() < word.len()
            && bare.len() > 1
            && word.ends_with([',', ':'])
            && !bare.contains(['/', '@', '.', '-'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_distinguished_from_sentences() {
        for line in [
            "ls -la",
            "git push origin main",
            "cd /var/log && tail -f syslog",
            "sudo apt-get update",
            "npm install",
            "DEBUG=1 node server.js --port 80",
            "$ make",
            "./run.sh",
            "find . -name '*.log'",
            "curl https://example.org",
        ] {
            assert_eq!(weight(line), 5, "{line}");
        }
        for line in [
            "find the keys, then go home",
            "cut the grass",
            "cat food",
            "git commit saves the work, and push sends it",
            "make sure to test this before the release",
            "go to the shop",
            "echo chamber",
            "open the door",
            "time flies",
            "Run npm install",
            "",
        ] {
            assert!(weight(line) < 5, "{line}");
        }
    }
}

#!/usr/bin/python3
"""confined.py UNIT ROOT [NAME=VALUE ...]: runs the command line of a systemd unit in the file tree ROOT, with the unit's restrictions.

For machines where no systemd runs. Covers User, Environment, EnvironmentFile, StateDirectory, ProtectSystem, ProtectHome, PrivateTmp,
PrivateDevices, ProtectProc, RestrictNamespaces, RestrictAddressFamilies, MemoryDenyWriteExecute, NoNewPrivileges,
CapabilityBoundingSet, SystemCallFilter, UMask and LimitNOFILE; any other directive of [Service] must be listed below.
"""
import glob, os, resource, socket, subprocess, sys, tempfile
import seccomp

unit, root, *given = sys.argv[1:]
OTHER = {  # of no consequence to the program, or of systemd itself
    "Type", "TimeoutStartSec", "TimeoutStopSec", "WatchdogSec", "Restart", "RestartSec", "RestartPreventExitStatus", "Group",
    "StateDirectoryMode", "ProcSubset", "ProtectClock", "ProtectControlGroups", "ProtectHostname", "ProtectKernelLogs",
    "ProtectKernelModules", "ProtectKernelTunables", "PrivateUsers", "RemoveIPC", "LockPersonality", "RestrictRealtime",
    "RestrictSUIDSGID", "SystemCallArchitectures",
}
service, section = {}, None
drop_ins = sorted(glob.glob(f"{root}/etc/systemd/system/{os.path.basename(unit)}.d/*.conf"))
for line in [line for path in [unit, *drop_ins] for line in open(path)]:
    line = line.strip()
    if line.startswith("["):
        section = line
    elif section == "[Service]" and line and not line.startswith("#"):
        name, value = line.split("=", 1)
        service.setdefault(name, []).append(value)


def take(name):
    return service.pop(name)


def names_of(filter_set):
    """The system calls of a set of systemd's."""
    text = subprocess.run(["systemd-analyze", "syscall-filter", filter_set], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines()[1:]:
        name = line.strip()
        if name.startswith("@"):
            yield from names_of(name)
        elif name and not name.startswith("#"):
            yield name


allowed = set()
for text in take("SystemCallFilter"):
    calls = {name for part in text.lstrip("~").split() for name in names_of(part)}
    allowed = allowed - calls if text.startswith("~") else allowed | calls
# bubblewrap's own last steps.
rules = seccomp.SyscallFilter(seccomp.ERRNO(1))
for name in sorted(allowed - {"socket", "mmap", "mprotect", "pkey_mprotect", "shmat", "clone", "clone3", "unshare", "setns"}):
    try:
        rules.add_rule(seccomp.ALLOW, name)
    except RuntimeError:
        pass  # of another architecture
for family in take("RestrictAddressFamilies")[0].split():
    rules.add_rule(seccomp.ALLOW, "socket", seccomp.Arg(0, seccomp.EQ, getattr(socket, family)))
assert take("MemoryDenyWriteExecute") == ["yes"]
PROT_EXEC, PROT_WRITE = 4, 2
for protection in range(8):
    if not (protection & PROT_EXEC and protection & PROT_WRITE):
        rules.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(2, seccomp.EQ, protection))
for protection in range(4):
    rules.add_rule(seccomp.ALLOW, "mprotect", seccomp.Arg(2, seccomp.EQ, protection))
assert take("RestrictNamespaces") == ["yes"]
NEW_NAMESPACES = 0x7E020080
rules.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, NEW_NAMESPACES, 0))
# As systemd does: its flags are in memory, so libc is to use clone instead.
rules.add_rule(seccomp.ERRNO(38), "clone3")
compiled = tempfile.TemporaryFile()
rules.export_bpf(compiled)
compiled.seek(0)

settings = dict(line.split("=", 1) for line in take("Environment"))
for path in take("EnvironmentFile"):
    for line in open(root + path.lstrip("-")):
        if "=" in line and not line.startswith("#"):
            name, value = line.strip().split("=", 1)
            settings[name] = value
settings |= dict(pair.split("=", 1) for pair in given)
user, state = take("User")[0], "/var/lib/" + take("StateDirectory")[0]
uid, gid = next(line.split(":")[2:4] for line in open(root + "/etc/passwd") if line.startswith(user + ":"))
for name in ("ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices", "ProtectProc", "NoNewPrivileges", "CapabilityBoundingSet"):
    take(name)
os.umask(int(take("UMask")[0], 8))
files = int(take("LimitNOFILE")[0])
resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, 1024), files))
command = take("ExecStart")[0].split()
unknown = set(service) - OTHER - {"AmbientCapabilities"}
assert not unknown, f"confined.py does not know {unknown}"

os.set_inheritable(compiled.fileno(), True)
arguments = ["bwrap", "--ro-bind", root, "/", "--bind", root + state, state, "--tmpfs", "/dev", "--proc", "/proc",
             "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/home", "--tmpfs", "/root", "--unshare-ipc",
             "--unshare-uts", "--unshare-pid", "--as-pid-1", "--die-with-parent", "--clearenv", "--chdir", "/",
             "--unshare-user", "--uid", uid, "--gid", gid, "--cap-drop", "ALL", "--seccomp", str(compiled.fileno())]
# Not bubblewrap's own --dev, for which it makes a second name space of users, whose capabilities count nowhere.
for device in ("null", "zero", "full", "random", "urandom", "tty"):
    arguments += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
for capability in service.pop("AmbientCapabilities", []):
    # Its capability for ports counts only in a separate network: enter that with nsenter.
    arguments += ["--cap-add", capability, "--unshare-net"]
for name, value in settings.items():
    arguments += ["--setenv", name, value]
# The name space of users maps the user itself, as PrivateUsers does.
os.setgroups([])
os.setgid(int(gid))
os.setuid(int(uid))
os.execvp("bwrap", [*arguments, "--", *command])

import { execFile } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { makeWorld, sandboxMissing } from "./kit.ts"

let world: ReturnType<typeof makeWorld>
beforeEach(() => {
  world = makeWorld()
})
afterEach(() => world.remove())

const secret = "the-secret-of-the-person"
const nobody = 65_534
const worker = fileURLToPath(new URL("command-worker.ts", import.meta.url))

/** Whoever runs the tests, and for root also a user without rights, where that one may read this folder. */
const users = [process.getuid?.() ?? 0, ...(await canBeNobody())]

async function canBeNobody(): Promise<readonly number[]> {
  if (process.getuid?.() !== 0) return []
  try {
    await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", "-e", `import(${JSON.stringify(worker)})`],
      {
        uid: nobody,
        gid: nobody,
        env: {},
      },
    ).catch((error: { stderr?: string }) => {
      // It got as far as missing its words.
      if (!String(error.stderr).includes("JSON")) throw error
    })
    return [nobody]
  } catch {
    console.warn("SKIPPED: the sandbox is not tested as another user, who cannot read this folder.")
    return []
  }
}

/** What a command prints that this user runs in the sandbox. */
async function runAs(user: number, command: string): Promise<string> {
  if (user !== process.getuid?.()) {
    // The folder of the suite is private.
    if ((fs.statSync(os.tmpdir()).mode & 1) === 0) fs.chmodSync(os.tmpdir(), 0o711)
    for (const place of [world.folder, world.root, world.home]) fs.chownSync(place, user, user)
  }
  const input = JSON.stringify({ root: world.root, home: world.home, command })
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", worker, input], {
    env: {
      PATH: "/usr/bin:/bin",
      SOME_API_KEY: secret,
      CADRE_STATE_DIR: path.join(world.folder, "state"),
      TMPDIR: world.folder,
    },
    ...(user !== process.getuid?.() && { uid: user, gid: user }),
  })
  const result = JSON.parse(stdout) as { readonly head?: string; readonly refused?: string }
  return result.refused ?? result.head!
}

describe.skipIf(sandboxMissing).each(users)("a command in the sandbox of user %i", (user) => {
  test("writes no file of the kernel", async () => {
    const text = await runAs(
      user,
      `find /proc/sys -type f | while read -r file; do (: >> "$file") 2>/dev/null && echo "opened $file"; done
      (echo evil > /proc/sys/kernel/core_pattern) 2>/dev/null && echo written
      (echo b > /proc/sysrq-trigger) 2>/dev/null
      find /proc -path '/proc/[0-9]*' -prune -o -type f -writable -exec test -f {} \\; -print 2>/dev/null
      find /sys -type f -writable 2>/dev/null
      echo ended`,
    )
    expect(text).toBe("ended\n")
  })

  test("reads nothing of the kernel's memory, keys and firmware", async () => {
    const text = await runAs(
      user,
      `for file in kcore keys key-users timer_list kmsg interrupts sched_debug latency_stats; do
        test "$(timeout 5 head -c 1 /proc/$file 2>/dev/null | wc -c)" = 0 || echo "read $file"
      done
      for folder in /proc/acpi /proc/scsi /proc/asound /sys/firmware /sys/kernel/debug /sys/kernel/security; do
        test -z "$(ls -A $folder 2>/dev/null)" || echo "listed $folder"
      done
      echo ended`,
    )
    expect(text).toBe("ended\n")
  })

  test("sees no environment of a process outside", async () => {
    const text = await runAs(
      user,
      `cat /proc/*/environ /proc/*/task/*/environ /proc/self/../$PPID/environ | tr '\\0' '\\n'; ps auxeww; echo ended`,
    )
    expect([text.includes("PATH="), text.includes(secret), text.endsWith("ended\n")]).toEqual([
      true,
      false,
      true,
    ])
  })

  test("has no capability, gains none, and makes no user namespace", async () => {
    const text = await runAs(
      user,
      `grep -hE '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr -s '\\t' ' '
      unshare --user true 2>/dev/null && echo namespace
      unshare --user --map-root-user --mount true 2>/dev/null && echo namespace
      mount -t tmpfs none /tmp 2>/dev/null && echo mounted
      mknod /tmp/disk b 8 0 2>/dev/null && echo device
      exit 0`,
    )
    expect(text).toBe(
      `${["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) => `${name}: 0000000000000000\n`).join("")}NoNewPrivs: 1\nSeccomp: 2\n`,
    )
  })

  test("leaves no set-uid or set-gid file behind, whichever call it uses", async () => {
    const text = await runAs(
      user,
      `cp /bin/sh shell
      chmod u+s shell; chmod g+s shell; chmod 6755 shell; chmod 4111 shell
      install -m 4755 /bin/sh installed; install -m 2755 /bin/sh grouped
      cp -p /usr/bin/passwd copied; cp -a /usr/bin/su . 
      mkdir -m 2777 folder; touch folder/in; chmod 2777 folder
      python3 -c 'import os; os.close(os.open("opened", os.O_CREAT | os.O_WRONLY, 0o6755))'
      node -e '
        const fs = require("fs")
        const attempt = (work) => { try { work() } catch {} }
        attempt(() => fs.closeSync(fs.openSync("opened", "w", 0o6755)))
        const file = fs.openSync("changed", "w")
        attempt(() => fs.fchmodSync(file, 0o4755))
        attempt(() => fs.chmodSync("changed", 0o2755))
        attempt(() => fs.mkdirSync("made", { mode: 0o6755 }))'
      test "$(uname -m)" = x86_64 && perl -e '
        my %calls = (chmod => 90, fchmodat => 268, fchmodat2 => 452, mknod => 133, mknodat => 259, creat => 85, open => 2, openat => 257);
        my $file = "raw"; open(my $made, ">", $file); close $made;
        syscall($calls{chmod}, $file, 04755); syscall($calls{fchmodat}, -100, $file, 04755, 0);
        syscall($calls{fchmodat2}, -100, $file, 04755, 0);
        my @names = map { "raw$_" } 1 .. 6;
        syscall($calls{mknod}, $names[0], 0104755, 0); syscall($calls{mknodat}, -100, $names[1], 0104755, 0);
        syscall($calls{creat}, $names[2], 04755); syscall($calls{open}, $names[3], 0101, 04755);
        syscall($calls{openat}, -100, $names[4], 0101, 04755);
        my $how = pack("QQQ", 0101, 04755, 0); syscall(437, -100, $names[5], $how, 24);
      '
      printf 'x' > tarred && tar --mode=6755 -cf archive tarred && rm tarred && tar -pxf archive
      find . -perm /6000
      echo ended`,
    )
    expect(text.split("\n").filter((line) => /^(?:\.|ended)/.test(line))).toEqual(["ended"])
    const modes = fs
      .readdirSync(world.root, { recursive: true })
      .map((name) => fs.lstatSync(path.join(world.root, String(name))).mode & 0o6000)
    expect(modes.length).toBeGreaterThan(5)
    expect(modes.filter((mode) => mode !== 0)).toEqual([])
  })

  test("changes the rights of its own files otherwise", async () => {
    const text = await runAs(
      user,
      "echo 'echo ran' > script && chmod 755 script && ./script; stat -c %a script",
    )
    expect(text).toBe("ran\n755\n")
  })

  test.skipIf(process.arch !== "x64")(
    "has no kind of socket that leads out of the network namespace",
    async () => {
      const text = await runAs(
        user,
        `perl -e 'for my $family (1, 2, 10, 16, 17, 31, 38, 40, 42) { print "$family " if syscall(41, $family, $family == 16 ? 3 : 1, 0) >= 0 }'`,
      )
      expect(text.trim()).toBe("1 2 10 16")
    },
  )
})

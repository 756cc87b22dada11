import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { RuleDecision } from "../../src/agent/agent.ts"
import { getModeRules, type PermissionMode } from "../../src/definitions/authority/mode.ts"
import { judge as judgeRules } from "../../src/run/rights/rights.ts"
import { findInstalledPrograms, type InstalledPrograms } from "../../src/world/shell/machine.ts"
import { gitVerbs } from "../../src/world/shell/programs/git-verbs.ts"
import { knownPrograms } from "../../src/world/shell/programs/known.ts"
import { findShellAccesses } from "../../src/world/shell/shell-accesses.ts"
import { type ParsedTable, parseTable } from "../../src/world/shell/table.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { commandsOf, isClear, judge, reasonsOf, touchedBy } from "./kit.ts"

describe("a shortened option is the option that it is short for", () => {
  test.each([
    ["sort --o=f a", ["write /no/workspace/f", "read /no/workspace/a"]],
    ["sort --outp f a", ["write /no/workspace/f", "read /no/workspace/a"]],
    ["sed --i s/a/b/ f", ["read /no/workspace/f", "write /no/workspace/f"]],
    ["cp --t=d a", ["read /no/workspace/a", "write /no/workspace/d/**"]],
    ["touch --ref=a b", ["read /no/workspace/a", "write /no/workspace/b"]],
    ["git archive --outp=f HEAD", ["write /no/workspace/f", "read /no/workspace/**"]],
    ["git blame --cont=a b", ["read /no/workspace/a", "read /no/workspace/b"]],
  ])("%s", async (command, expected) => {
    expect([await touchedBy(command), await isClear(command)]).toEqual([expected, true])
  })
})

describe("every value and every operand is looked at", () => {
  test.each([
    ["touch -m f", ["write /no/workspace/f"]],
    ["chmod --reference=x f", ["read /no/workspace/x", "write /no/workspace/f"]],
    ["chmod -x f", ["write /no/workspace/f"]],
    ["chown --from=me you f", ["write /no/workspace/f", "read /no/workspace/f"]],
    ["shuf -o f a", ["write /no/workspace/f", "read /no/workspace/a"]],
    ["diff --from-file=f a", ["read /no/workspace/f/**", "read /no/workspace/a/**"]],
    ["curl --stderr f a.com", ["write /no/workspace/f", "host a.com"]],
    ["curl file://localhost/no/f", ["read /no/f"]],
    ["curl FILE:///no/f%61", ["read /no/fa", "read /no/f%61"]],
    ["man ./f", ["read /no/workspace/f"]],
    ["xxd a f", ["read /no/workspace/a", "write /no/workspace/f"]],
    ["git interpret-trailers f", ["read /no/workspace/f"]],
    ["tar -c --atime-preserve a", ["read /no/workspace/a/**", "write /no/workspace/a/**"]],
    ["tar -xf a.tar -C x -C ..", ["read /no/workspace/a.tar", "write /no/workspace/**"]],
    ["tar -xf a.tar -C x -C ../y", ["read /no/workspace/a.tar", "write /no/workspace/y/**"]],
    ["ssh a.com -E f ls", ["write /no/workspace/f", "host a.com"]],
    [
      "patch -d sub -i ../p",
      ["read /no/workspace/p", "read /no/workspace/sub/**", "change /no/workspace/sub/**"],
    ],
    ["strace -o f ls", ["write /no/workspace/f"]],
    ["rmdir -p a/b", ["write /no/workspace/a/b", "write /no/workspace/a"]],
    ["uniq a f", ["read /no/workspace/a", "write /no/workspace/f"]],
    ["cd sub && ls", ["read /no/workspace/sub"]],
    [
      "xz -td a.xz",
      [
        ...["", ".gz", "-gz", ".z", "-z", ".Z", "_z", ".tgz", ".taz"].map(
          (ending) => `read /no/workspace/a.xz${ending}`,
        ),
        "change /no/workspace/a.xz/**",
        "change /no/workspace/**",
      ],
    ],
    ["unzip a.zip -d x -t", ["read /no/workspace/a.zip/**", "change /no/workspace/x/**"]],
    ["git diff-tree HEAD --stat", ["read /no/workspace/**"]],
    ["git show ':(exclude)sub'", ["read /no/workspace/**"]],
    ["git add ':!sub'", ["read /no/workspace/**"]],
    ["git add -p a -- b", ["read /no/workspace/a", "read /no/workspace/b", "read /no/workspace/**"]],
    ["xxd a -r", ["read /no/workspace/a", "write /no/workspace/-r"]],
    ["scp -q a -3", ["read /no/workspace/a/**", "change /no/workspace/-3/**"]],
    ["rev -", ["read /no/workspace/-"]],
    ["shuf --random-source - a", ["read /no/workspace/-", "read /no/workspace/a"]],
    ["column -", ["read /no/workspace/-"]],
    ["hexdump -f - a", ["read /no/workspace/-", "read /no/workspace/a"]],
    ["git ls-remote file:a", ["host file"]],
    ["git grep -- a", ["read /no/workspace/a", "read /no/workspace/**"]],
    ["git grep -e b -- a", ["read /no/workspace/a", "read /no/workspace/a/**"]],
    ["git hash-object - x:a", ["read /no/workspace/-", "read /no/workspace/x:a"]],
    [
      "git diff HEAD~1 @{1} -- a",
      ["read /no/workspace/@{1}", "read /no/workspace/a", "read /no/workspace/a/**"],
    ],
    ["git remote add far https://a.com/b", ["host a.com", "change /no/workspace/.git/config"]],
    ["git remote prune a b:c", ["host b"]],
    [
      "git submodule add file:a b",
      [
        "host file",
        "write /no/workspace/b/**",
        "read /no/workspace/file:a/**",
        "read /no/workspace/b/**",
        "read /no/workspace/**",
        ...["", "/add", "/file:a", "/b"].map((name) => `change /no/workspace${name}/**`),
      ],
    ],
    [
      "rsync -ay a b/c",
      [
        "read /no/workspace/a/**",
        "change /no/workspace/b/c/**",
        "read /no/workspace/b/c/**",
        "read /no/workspace/b/**",
      ],
    ],
    [
      "tar -cf b -g a c",
      ["write /no/workspace/a", "write /no/workspace/b", "read /no/workspace/a", "read /no/workspace/c/**"],
    ],
    [
      "patch --dry-run -o a -i p",
      ["read /no/workspace/p", "read /no/workspace/**", "change /no/workspace/a"],
    ],
    ["dig example.com MX", ["host example.com"]],
    ["curl -F 'x=@a;headers=@b' a.com", ["read /no/workspace/a", "read /no/workspace/b", "host a.com"]],
    ["curl -T a file:///no/f/", ["read /no/workspace/a", "write /no/f/**"]],
    ["git push --repo b:c", ["host b"]],
    ["git apply --check p", ["read /no/workspace/p", "read /no/workspace/**"]],
    ["git add '*.ts'", ["read /no/workspace/*.ts", "read /no/workspace/**"]],
    ["git add -fA", ["read /no/workspace/**"]],
    [
      "git stash save -- a",
      ["change /no/workspace/**", "change /no/workspace/save/**", "read /no/workspace/a"],
    ],
    [
      "rsync --backup a c/b",
      [
        "read /no/workspace/a/**",
        "change /no/workspace/c/b/**",
        "read /no/workspace/c/b/**",
        "change /no/workspace/c/**",
      ],
    ],
    ["rsync -a a b", ["read /no/workspace/a/**", "change /no/workspace/b/**", "read /no/workspace/b/**"]],
  ])("%s", async (command, expected) => {
    expect([await touchedBy(command), await isClear(command)]).toEqual([expected, true])
  })
})

describe("what an option does cannot be told", () => {
  test.each([
    "file -m a b",
    "git ls-files --eol",
    "git ls-files -o --exclude-per-directory=a",
    "git init --separate-git-dir=a",
    "man -L a b",
    "man --encoding=a b",
    "less -O a b",
    "less -y1ka b",
    "less '-Pa$ka' b",
    "unzip a.zip -d x -d y",
    "unzip a.zip -d -p",
    "diff -l a b",
    "tree --gitfile a",
    "unzip - a",
    "git rev-parse --help",
    "git show --output --decorate-refs-exclude a b",
    "git fsck --lost-found",
    "ssh -L /a:b:1 c.com",
    "ssh -R 1:/a c.com",
    "wget a.com -o",
    "TZ=/a date",
    "TZ=:/a date",
    "TZ=../a date",
    "TZ=$x date",
    "env TZ=/a date",
    "export TZ=/a",
    "ln -s a b; cat b/../c",
    "ln -s a b; mv b c",
    "ln -s a b/c; mv b d",
    "tar xf a; cat b/../c",
    "git checkout b; cat c/../d",
    "unzip a.zip && cd b && cat ../c",
    "zip -r -0",
    "uniq +1 a",
    "git --help diff",
    "git -P -h user.name=x",
  ])("%s", async (command) => {
    expect(await isClear(command)).toBe(false)
  })
})

describe("what changes nothing of where a path leads stays known", () => {
  test.each([
    "mkdir a && cd a && cat ../b",
    "cp a b && cat b/../c",
    "mv a b && mv b c",
    "TZ=UTC date",
    "TZ=Europe/Berlin date",
    "tar xf a && cat b",
  ])("%s", async (command) => {
    expect(await isClear(command)).toBe(true)
  })
})

describe("what a table does not have makes the command one that nobody knows", () => {
  test.each([
    "sort --nonsense a",
    "sort --r a",
    "sort --version=x",
    "ls -j",
    "tr a b c",
    "base64 a b",
    "git log --nonsense",
    "git blame -Q f",
    "git nonsense f",
    "git config user.name --global",
    "curl --outp f a.com",
    "curl --output=f a.com",
    "rg --nonsense x",
    "find . -nonsense",
    "dd if=a nonsense=b",
    "jq --nonsense . a",
    "xxd -Q a",
    "zip -TT cmd a b",
    "ps --nonsense",
    "sort --compress-program=x a",
    "strace -o '|x' ls",
    "sed --e='1e x' f",
    "env -S 'a b'",
    "cat /proc/self/cwd/f",
  ])("%s", async (command) => {
    expect(await reasonsOf(command, "unclear")).not.toEqual([])
  })
})

describe("of every program that has a table", () => {
  const all = [
    ...[...knownPrograms.keys()].sort(),
    ...[...gitVerbs.keys()].map((verb) => `git ${verb}`).sort(),
  ]
  const tableOf = (name: string): ParsedTable =>
    parseTable((knownPrograms.get(name) ?? gitVerbs.get(name.replace("git ", "")))!.table)

  test("an option that it does not have makes the command unknown", async () => {
    const passed: string[] = []
    for (const name of all) {
      const letters = new Set([...tableOf(name).optionsByName.keys()].map((option) => option[1]))
      const letter = [..."ZJQjzq%"].find((one) => !letters.has(one))!
      for (const option of ["--no-such-option", "--no-such-option=x", `-${letter}`, `-${letter}secret`])
        if (await isClear(`${name} ${option}`)) passed.push(`${name} ${option}`)
    }
    expect(passed).toEqual([])
  })

  test("the beginning of a long option is taken only where the program takes it, and for one option", async () => {
    const passed: string[] = []
    for (const name of all) {
      const table = tableOf(name)
      const long = [...table.optionsByName.keys()].filter((option) => option.startsWith("--"))
      for (const option of long.filter((one) => one.length > 4)) {
        const short = option.slice(0, -1)
        const meant = new Set(
          long.filter((other) => other.startsWith(short)).map((other) => table.optionsByName.get(other)),
        )
        if (table.optionsByName.has(short) || (meant.size === 1 && !table.whole)) continue
        if (await isClear(`${name} ${short}`)) passed.push(`${name} ${short}`)
      }
    }
    expect(passed).toEqual([])
  })

  test("an operand too many makes the command unknown", async () => {
    const passed: string[] = []
    for (const name of all) {
      const { operands } = tableOf(name)
      if (operands.at(-1)?.many === "rest") continue
      const words = Array.from({ length: operands.length + 1 }, (_, index) => `x${index}`)
      if (await isClear(`${name} ${words.join(" ")}`)) passed.push(name)
    }
    expect(passed).toEqual([])
  })

  test("another version makes it unknown to rules that deny or ask", async () => {
    const passed: string[] = []
    for (const name of all) {
      const accesses = await findShellAccesses(`${name} x`, {
        cwd: "/no/workspace",
        home: "/no/home",
        machine: { has: () => false },
      })
      const isUnknown = accesses.some(
        (access) =>
          access.type === "unclear" ||
          access.type === "dangerous" ||
          (access.type === "command" && access.loose !== undefined),
      )
      if (!isUnknown) passed.push(name)
    }
    expect(passed).toEqual([])
  })
})

describe("of programs with words of their own, whatever is not known makes the command unknown", () => {
  test.each([
    ...[
      "npm --userconfig x ls",
      "npm ls --userconfig=x",
      "npm ls --dept=0",
      "npm ls --cache=x",
      "npm --omit ls publish",
    ],
    ...[
      "npm --depth ls run x",
      "npm -w ls run x",
      "npm --workspace view exec x",
      "npm --include ls x",
      "npm ls -- x",
    ],
    ...[
      "npm help x",
      "npm fund x",
      "npm bin",
      "npm -dls",
      "npm lis",
      "npm ls -z",
      "npm ls --jso",
      "npm --prefix x ls",
    ],
    ...[
      "yarn list",
      "yarn --cwd x list",
      "pnpm ls",
      "pnpm -C x ls",
      "bun pm ls",
      "yarn --version x",
      "pnpm -v x",
    ],
    ...[
      "zip --rec out a",
      "zip -TT x out a",
      "zip -O x out a",
      "zip -lf x out a",
      "zip -b x out a",
      "zip -@ out",
    ],
    ...[
      "zip -sf out a",
      "zip --move=x out a",
      "zip -X- out a",
      "zip -qT out a",
      "zip -FS out a",
      "zip -xa out",
    ],
    ...["ps -n a", "ps N a", "ps --no-such", "ps anN a", "ps -Nn a", "ps +x"],
    ...[
      "ping -p x localhost",
      "ping -f localhost",
      "ping --count=1 localhost",
      "ping",
      "ping -Q 1 localhost",
    ],
    ...[
      "dig -f a",
      "dig -k a x",
      "dig",
      "dig MX",
      "dig --x",
      "dig -b x y",
      "host -C x",
      "host -v x",
      "nslookup",
    ],
    ...[
      "less --log-file=a b",
      "less --LOG-FILE=a b",
      "less --tag=x",
      "less -+o b",
      "less +x b",
      "less --quit-if b",
    ],
    ...[
      "awk -i a 1 b",
      "awk --file=a b",
      "awk -W exec=a",
      "awk -E a",
      "awk -n 1 a",
      "mawk -We 1 a",
      "gawk -o 1 a",
    ],
    ...["xxd -Q a", "xxd a b c", "xxd --cols 1 a", "dd if=a x"],
    ...[
      "find . -no-such",
      "find . -nam a",
      "find . -exec a",
      "jq --slurp-file x y . a",
      "jq --from a",
      "jq -L a . b",
    ],
    ...[
      "sudo -R x a",
      "sudo --no-such a",
      "doas -C a",
      "chrt --no-such 0 a",
      "time -o a b",
      "exec -x a",
      "command -x a",
    ],
    ...["ruby -v -ex", "lua -v -ex", "tclsh -v", "perl -v x", "python3 -V x", "node -v x", "php -v x"],
  ])("%s", async (command) => {
    const accesses = await judge(command)
    const isUnknown = accesses.some(
      (access) =>
        access.type === "unclear" ||
        access.type === "dangerous" ||
        (access.type === "command" && access.loose !== undefined),
    )
    expect(isUnknown).toBe(true)
  })

  test.each([
    "npm ls",
    "npm --json ls --depth 0",
    "npm ls --depth=0",
    "npm -g outdated",
    "npm view x version",
    "npm -v",
  ])("%s is known", async (command) => {
    expect(await isClear(command)).toBe(true)
  })
})

describe("rules", () => {
  let root: string
  beforeAll(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-strict-")))
    for (const name of ["a", "secret"]) fs.writeFileSync(path.join(root, name), "x\n")
    fs.mkdirSync(path.join(root, "sub"))
    fs.symlinkSync("../secret", path.join(root, "sub/link"))
  })
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

  async function decided(
    command: string,
    mode: PermissionMode,
    said: Partial<Record<RuleDecision, readonly string[]>>,
  ): Promise<RuleDecision> {
    const tool = createBashTool({ root, sandbox: "off" })
    if (tool.kind !== "function") throw new Error("it is a function")
    const { rules, otherwise } = getModeRules(mode, root)
    const own = (["allow", "ask", "deny"] as const).flatMap((decision) =>
      (said[decision] ?? []).map((one) => ({ tool: one.replace("ROOT", root), decision })),
    )
    const accesses = await tool.accesses!({ command }, { cwd: root })
    return judgeRules([{ of: "the configuration", rules: [...own, ...rules], otherwise }], {
      tool: "Bash",
      accesses,
    }).decision
  }

  test("a rule that allows a program does not cover what its table does not know", async () => {
    const allow = ["Bash(sort:*)"]
    expect({
      known: await decided("sort -r a", "default", { allow }),
      unknown: await decided("sort --nonsense a", "default", { allow }),
      written: await decided("sort --o=b a", "default", { allow }),
    }).toEqual({ known: "allow", unknown: "ask", written: "ask" })
  })

  test.each(["cat sub/l*", "find sub -exec cat {} +", "diff sub a", "sed -i.bak p secret", "git add secret"])(
    "a rule that denies a file binds %s",
    async (command) => {
      const decision = await decided(command, "bypass", { deny: ["Read(ROOT/secret)"] })
      expect(decision).not.toBe("allow")
    },
  )

  test.each([
    ["npm --prefix x publish", "npm publish"],
    ["npm publ", "npm publish"],
    ["npm -s pub --tag x", "npm publish"],
    ["yarn --cwd x publish", "yarn publish"],
    ["pnpm -C x publish", "pnpm publish"],
    ["cargo +nightly --locked publish", "cargo publish"],
    ["docker --context x push y", "docker push"],
    ["kubectl -n x delete pod y", "kubectl delete"],
    ["gh -R a/b pr merge 1", "gh pr merge"],
    ["gh pr -R a/b merge 1", "gh pr merge"],
    ["terraform -chdir=x apply", "terraform apply"],
  ])("%s is known by its verb", async (command, verb) => {
    const about = [`Bash(${verb}:*)`]
    expect({
      denied: await decided(command, "bypass", { deny: about }),
      asked: await decided(command, "bypass", { ask: about }),
      allowed: await decided(command, "default", { allow: about }),
    }).toEqual({ denied: "deny", asked: "ask", allowed: "ask" })
  })
})

describe("of another version than its table names a program is unknown to rules that deny or ask", () => {
  const other: InstalledPrograms = { has: () => false }
  const options = { cwd: "/no/workspace", home: "/no/home" }

  test("what the table says is told all the same", async () => {
    expect(await findShellAccesses("sort -o b a", { ...options, machine: other })).toEqual([
      { type: "command", text: "sort -o b a", loose: "free", part: 1 },
      { type: "write", path: "/no/workspace/b", by: 1 },
      { type: "read", path: "/no/workspace/a" },
    ])
    expect(await judge("sort a")).toEqual([
      { type: "command", text: "sort a" },
      { type: "read", path: "/no/workspace/a" },
    ])
  })

  test("what the shell does itself has no version", async () => {
    expect(await findShellAccesses("echo a && test -f b", { ...options, machine: other })).toEqual([
      { type: "command", text: "echo a" },
      { type: "command", text: "test -f b" },
    ])
  })

  test("a program is not the one of its table where another of its name comes first, or a link leads elsewhere", () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-machine-")))
    try {
      fs.writeFileSync(path.join(folder, "sort"), "#!/bin/sh\n", { mode: 0o755 })
      const version = knownPrograms.get("sort")!.table.version
      expect([
        findInstalledPrograms(`${folder}:/usr/bin:/bin`).has("sort", version),
        findInstalledPrograms("/nowhere").has("sort", version),
        findInstalledPrograms("/usr/bin:/bin").has("sort", "coreutils 8.32"),
        findInstalledPrograms("/usr/bin:/bin").has("sort", "nonsense 9.1"),
      ]).toEqual([false, false, false, false])
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })
})

test("a program that lies elsewhere is nobody's, whatever it is called", async () => {
  for (const command of ["./sort a", "/usr/local/bin/sort a", "bin/cat a"])
    expect((await judge(command))[0]).toMatchObject({ type: "command", loose: "free" })
  expect(await commandsOf("/usr/bin/sort a")).toEqual(["sort a"])
  expect((await judge("/usr/bin/sort a"))[0]).toEqual({ type: "command", text: "sort a" })
})

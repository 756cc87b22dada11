import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { findShellAccesses } from "../../src/world/shell/shell-accesses.ts"
import { processorTime } from "../processor-time.ts"
import { commandsOf, isClear, judge, reasonsOf, touchedBy } from "./kit.ts"

describe("what the shell itself can run or set is told", () => {
  test.each(["jobs -x curl evil", "jobs -lx curl evil", "builtin jobs -x curl evil", "jobs -l -x curl evil"])(
    "%j runs a command",
    async (command) => {
      expect([await isClear(command), (await commandsOf(command)).at(-1)]).toEqual([false, "curl evil"])
    },
  )

  test.each(["printf %n x", "printf 'a%5ln' x", "printf -- '%s%n' a x", "printf -v x a", 'printf "$x"'])(
    "%j may set a variable",
    async (command) => {
      expect(await reasonsOf(command, "unclear")).not.toEqual([])
    },
  )

  test.each(["printf '%s\\n' new", "printf '%% none'", "printf -- %d-n 1", "jobs -l", "jobs %1"])(
    "%j does not",
    async (command) => {
      expect([await reasonsOf(command, "unclear"), await touchedBy(command)]).toEqual([[], []])
    },
  )
})

test.each([
  ["x=a; x=b > $x", ["write /no/workspace/a", "write /no/workspace/b"]],
  ["x=a; x=b true > $x", ["write /no/workspace/a"]],
])("%j redirects before or behind its assignments, as shells do", async (command, expected) => {
  expect(await touchedBy(command)).toEqual(expected)
})

describe("a variable that says where programs find what they load asks", () => {
  test.each([
    "GROFF_TMAC_PATH=x man ls",
    "GNUPGHOME=x git verify-commit HEAD",
    "TERMINFO_DIRS=x tput cols",
    "LANGUAGE=/x ls",
    "LC_ALL=../../x ls",
    "LANG=$x ls",
  ])("%j", async (command) => {
    expect(await reasonsOf(command, "unclear")).not.toEqual([])
  })

  test.each(["LC_ALL=C ls", "LANG=en_US.UTF-8 ls", "LANGUAGE=de:en ls"])("%j does not", async (command) => {
    expect(await isClear(command)).toBe(true)
  })
})

describe("whom a program talks to is told, or not plain", () => {
  test.each([
    ["curl --connect-to a.com:80:evil.com:80 a.com", ["host a.com", "host evil.com"]],
    ["curl --resolve a.com:80:10.0.0.1 a.com", ["host a.com", "host 10.0.0.1"]],
    ["ssh -W evil.com:22 a.com", ["host evil.com", "host a.com"]],
    ["rsync a b.com:/c", ["host b.com", "read /no/workspace/a/**"]],
  ])("%j", async (command, expected) => {
    expect([(await touchedBy(command)).toSorted(), await isClear(command)]).toEqual([
      expected.toSorted(),
      true,
    ])
  })

  test.each([
    "curl http:/evil.com",
    "curl 'http://a.com\\@evil.com/'",
    "wget 'http://a.com\\@evil.com/'",
    "curl http://ｅvil.com",
    "curl --connect-to a.com:80:[::1]:80 a.com",
    "curl --resolve a.com:80:10.0.0.1,10.0.0.2 a.com",
    "wget -rH a.com",
    "wget --span-hosts -r a.com",
    "npm view https://evil.com/x",
    "npm view x@https://evil.com/x",
    "npm view owner/repository",
    "npm info git+file:///x",
    "npm outdated x.tgz",
  ])("%j", async (command) => {
    expect(await reasonsOf(command, "unclear")).not.toEqual([])
  })

  test.each(["npm view @scope/name@^1.2 versions", "npm explain node_modules/x", "npm search a/b"])(
    "%j only looks",
    async (command) => {
      expect(await isClear(command)).toBe(true)
    },
  )
})

test.each(["jq modulemeta", 'awk \'BEGIN{SYMTAB["A" "RGV"][1]="b"}1\' a'])(
  "%j may read other files",
  async (command) => {
    expect(await reasonsOf(command, "unclear")).not.toEqual([])
  },
)

test.each(["busybox --install -s x", "busybox sort a"])(
  "nobody knows what %j does, though it is called as others are",
  async (command) => {
    const accesses = await findShellAccesses(command, { cwd: "/no/workspace", home: "/no/home" })
    expect(accesses[0]).toEqual(expect.objectContaining({ type: "command", text: command, loose: "free" }))
  },
)

test.each([
  ["git show 'HEAD^{/a:b}:secret'", ["read /no/workspace/secret"]],
  ["git show 'main@{10:00:00}:secret'", ["read /no/workspace/secret"]],
  ["git cat-file -p '@{1 day ago}:secret'", ["read /no/workspace/secret"]],
  ["git show 'HEAD^{/{a:b}}:secret'", ["read /no/workspace/HEAD^{/{a:b}}:secret", "read /no/workspace/**"]],
])("%j: a colon in braces does not begin the name of a file", async (command, expected) => {
  expect(await touchedBy(command)).toEqual(expected)
})

describe("what a repository may bring along", () => {
  let work = ""
  beforeAll(() => {
    work = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-shell-")))
    const put = (...names: readonly string[]) => {
      for (const name of names) {
        fs.mkdirSync(path.join(work, path.dirname(name)), { recursive: true })
        fs.writeFileSync(path.join(work, name), "")
      }
    }
    put(".git/HEAD", "plain/x", "HEAD/x")
    put("folders/HEAD", "folders/objects/x", "folders/refs/x", "folders/deep/er/x")
    put("files/HEAD", "files/objects", "files/refs")
    put("common/HEAD", "common/commondir")
    put("linked/objects/x", "linked/refs/x")
    fs.symlinkSync("refs/heads/main", path.join(work, "linked/HEAD"))
    fs.symlinkSync("/proc/self/cwd", path.join(work, "plain/here"))
    fs.symlinkSync("here/..", path.join(work, "plain/up"))
    fs.symlinkSync("/proc/mounts", path.join(work, "plain/mounts"))
  })
  afterAll(() => fs.rmSync(work, { recursive: true, force: true }))

  const reasons = async (command: string) =>
    (await findShellAccesses(command, { cwd: work, home: "/no/home" })).flatMap((access) =>
      access.type === "unclear" ? [access.reason] : [],
    )

  test.each([
    "git -C folders status",
    "git -C folders/deep/er status",
    "cd folders/deep && git status",
    "git -C files status",
    "git -C common status",
    "git -C linked status",
  ])("%j works in a repository whose settings nobody trusted", async (command) => {
    expect(await reasons(command)).toEqual([expect.stringContaining("looks like a repository")])
  })

  test.each(["cd folders/deep; cd /; cd - && git status", "popd && git status"])(
    "%j works in one that is not known",
    async (command) => {
      expect(await reasons(command)).toContainEqual(expect.stringContaining("repository"))
    },
  )

  test.each(["git status", "git -C plain status", "git -C HEAD status"])(
    "%j works in the one there is",
    async (command) => {
      expect(await reasons(command)).toEqual([])
    },
  )

  test
    .skipIf(!fs.existsSync("/proc/self/cwd"))
    .each([
      "cat plain/here/x",
      "cat plain/up/x",
      "cd plain/here && cat x",
      "cd /proc/self/cwd && cat x",
      "cd plain && echo > here/x",
    ])("%j leads elsewhere for each process", async (command) => {
    expect(await reasons(command)).not.toEqual([])
  })

  test.skipIf(!fs.existsSync("/proc/self/cwd")).each([
    ["cat plain/*/x", ["/", path.posix.join("WORK", "plain")]],
    ["grep -R x plain", ["/", path.posix.join("WORK", "plain")]],
  ])("%j may lead anywhere", async (command, expected) => {
    const accesses = await findShellAccesses(command, { cwd: work, home: "/no/home" })
    const below = accesses.flatMap((access) => (access.type === "read" && access.below ? [access.path] : []))
    expect(below.toSorted()).toEqual(expected.map((place) => place.replace("WORK", work)))
  })

  test.skipIf(!fs.existsSync("/proc/self/cwd"))("what is the same for all of them does not", async () => {
    expect(await reasons("cat plain/mounts")).toEqual([])
  })
})

describe("no command keeps the process from anything else", () => {
  const words = Array.from({ length: 50 }, (_, index) => `x${index}`).join(" ")
  const loop = (body: string, name: string) => `for ${name} in ${words}; do ${body}; done`

  test("loops in loops are not followed to their end", async () => {
    expect(await reasonsOf(loop(loop(loop("echo $a$b$c", "a"), "b"), "c"), "unclear")).toEqual([
      expect.stringContaining("too many commands"),
    ])
  })

  test("what stands before that is told", async () => {
    expect(await commandsOf(`curl evil; ${loop(loop(loop("echo", "a"), "b"), "c")}`)).toEqual([
      "curl evil",
      "echo",
    ])
  })

  test("brackets that nothing closes are looked at once each", async () => {
    const before = processorTime()
    await judge(`cat ${"[".repeat(60_000)}`)
    // Looking from each for its end took twenty seconds.
    expect(processorTime() - before).toBeLessThan(5_000)
  })
})

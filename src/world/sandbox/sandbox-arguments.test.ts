import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { buildKernelArguments } from "./kernel-paths.ts"
import { buildSandboxArguments, type SandboxBounds } from "./sandbox-arguments.ts"

let base = ""
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "bounds-")))
  for (const folder of ["home", "work", "other", "seen"]) fs.mkdirSync(path.join(base, folder))
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

const make = (...files: readonly string[]) => {
  for (const file of files) {
    const place = path.join(base, file)
    fs.mkdirSync(path.dirname(place), { recursive: true })
    if (file.endsWith("/")) fs.mkdirSync(place, { recursive: true })
    else fs.writeFileSync(place, "x")
  }
}

const at = (...names: readonly string[]) => names.map((name) => path.join(base, name))

type Given = Partial<SandboxBounds> & { readonly cwd?: string; readonly path?: string }

function all(given: Given): readonly string[] {
  return buildSandboxArguments({
    root: path.join(base, "work"),
    home: path.join(base, "home"),
    network: "none",
    cwd: path.join(base, "work"),
    path: "/usr/bin",
    ...given,
  })
}

const takesTwo = ["--bind", "--ro-bind"]
const takesOne = ["--tmpfs", "--remount-ro", "--dir", "--chdir", "--dev", "--proc", "--cap-drop"]

/** Each option with its values, on one line, and `B` for the folder of the test. */
function lines(given: Given): readonly string[] {
  const left = [...all(given)]
  const found: string[] = []
  while (left.length > 0) {
    const count = takesTwo.includes(left[0]!) ? 3 : takesOne.includes(left[0]!) ? 2 : 1
    found.push(left.splice(0, count).join(" ").replaceAll(base, "B"))
  }
  return found
}

/** The arguments about paths that the test made. */
const own = (given: Given = {}) => lines(given).filter((line) => /\bB\b/.test(line))

const work = "--bind B/work B/work"
const cwd = "--chdir B/work"
const empty = (place: string) => [`--tmpfs ${place}`, `--remount-ro ${place}`]
const fixed = (place: string) => `--ro-bind ${place} ${place}`

describe("of the machine", () => {
  test("all is to be read and nothing to be written, and what others keep is hidden", () => {
    const found = lines({})
    expect(found.slice(0, 11)).toEqual([
      "--unshare-user",
      "--unshare-pid",
      "--unshare-ipc",
      "--unshare-uts",
      "--unshare-cgroup-try",
      "--unshare-net",
      "--die-with-parent",
      "--new-session",
      "--cap-drop ALL",
      "--ro-bind / /",
      "--dev /dev",
    ])
    const kernel = buildKernelArguments()
    expect(all({}).slice(17, 17 + kernel.length)).toEqual(kernel)
    expect(kernel.length).toBeGreaterThan(6)
    for (const folder of ["/tmp", "/var/tmp", "/run", "/root", "/home"]) {
      const isThere = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
      const isLink = fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true
      expect(found.includes(`--tmpfs ${folder}`)).toBe(isThere && !isLink)
    }
    expect(own()).toEqual(["--dir B/home", work, cwd])
  })

  test("the network is there where it may be", () => {
    expect(lines({ network: "full" })).not.toContain("--unshare-net")
  })

  test("a home of its own place is hidden as it is, and so is what else is to be", () => {
    const found = all({ home: "/usr/lib", hidden: ["/usr/share", "/usr/share/doc", "/", "/nothing-there"] })
    const hidden = found.flatMap((word, index) => (word === "--tmpfs" ? [found[index + 1]!] : []))
    expect(hidden.filter((place) => /^\/usr|^\/$|nothing/.test(place))).toEqual(["/usr/lib", "/usr/share"])
    expect(found).not.toContain("--dir")
  })
})

describe("what is worked in", () => {
  test("is written, wherever a link leads to it", () => {
    fs.symlinkSync(path.join(base, "work"), path.join(base, "link"))
    expect(
      own({ root: path.join(base, "link"), cwd: path.join(base, "link"), writable: at("other") }),
    ).toEqual(["--dir B/home", work, "--bind B/other B/other", cwd])
  })

  test("is read only where all of it is protected", () => {
    expect(own({ protected: ["."] })).toEqual(["--dir B/home", fixed("B/work"), cwd])
  })
})

describe("what is protected", () => {
  test("cannot be changed, and cannot be made where it is missing; what is above it stays where it is", () => {
    make("work/.git/", "work/a/b/.cadre/")
    expect(own({ protected: [".git", "a/b/.cadre", ".mcp.json"] })).toEqual([
      "--dir B/home",
      work,
      "--bind B/work/a B/work/a",
      "--bind B/work/a/b B/work/a/b",
      fixed("B/work/.git"),
      fixed("B/work/a/b/.cadre"),
      fixed("B/work/.mcp.json"),
      cwd,
    ])
  })

  test("is not bound above what is protected itself", () => {
    make("work/a/b/c/")
    expect(own({ protected: ["a", "a/b/c"] })).toEqual([
      "--dir B/home",
      work,
      fixed("B/work/a"),
      fixed("B/work/a/b/c"),
      cwd,
    ])
  })

  test("is not shown where a link leads out of the workspace, or nowhere", () => {
    make("other/file")
    fs.symlinkSync(path.join(base, "other"), path.join(base, "work/out"))
    fs.symlinkSync(path.join(base, "nowhere"), path.join(base, "work/gone"))
    expect(own({ protected: ["out", "gone"] })).toEqual(["--dir B/home", work, cwd])
  })

  test("has no mount for a folder above it that is missing, or a link", () => {
    make("work/real/inside/.cadre/")
    fs.symlinkSync(path.join(base, "work/real"), path.join(base, "work/link"))
    expect(own({ protected: ["none/deep/.cadre", "link/inside/.cadre"] })).toEqual([
      "--dir B/home",
      work,
      fixed("B/work/none/deep/.cadre"),
      fixed("B/work/real/inside/.cadre"),
      cwd,
    ])
  })

  test("is where a link in the workspace leads", () => {
    make("work/real/")
    fs.symlinkSync(path.join(base, "work/real"), path.join(base, "work/link"))
    expect(own({ protected: ["link"] })).toEqual(["--dir B/home", work, fixed("B/work/real"), cwd])
  })

  test("stays as it is in a hidden folder, where it is there", () => {
    make("other/kept")
    expect(own({ protected: at("other/kept") })).toEqual(["--dir B/home", work, cwd])
  })

  test("cannot be made in a hidden folder either, and elsewhere it could not be anyway", () => {
    expect(own({ protected: [path.join(base, "other/new"), "/usr/nothing-there"] })).toEqual([
      "--dir B/home",
      work,
      ...empty("B/other/new"),
      cwd,
    ])
  })
})

describe("what is concealed", () => {
  test("is empty, and the folders above it cannot be moved away", () => {
    make("work/a/b/secret", "work/c/keys/")
    expect(own({ concealed: at("work/a/b/secret", "work/c/keys", "work/none") })).toEqual([
      "--dir B/home",
      work,
      "--bind B/work/a B/work/a",
      "--bind B/work/c B/work/c",
      "--bind B/work/a/b B/work/a/b",
      "--ro-bind /dev/null B/work/a/b/secret",
      ...empty("B/work/c/keys"),
      cwd,
    ])
  })

  test("is left alone where it is hidden anyway, and not where that is shown", () => {
    make("other/secret", "seen/secret")
    expect(own({ concealed: at("other/secret", "seen/secret"), visible: at("seen") })).toEqual([
      "--dir B/home",
      fixed("B/seen"),
      work,
      "--ro-bind /dev/null B/seen/secret",
      cwd,
    ])
  })

  test("are sockets of others, unless they are hidden already", () => {
    make("work/a.sock", "work/keys/b.sock", "other/c.sock")
    expect(
      own({ sockets: at("work/a.sock", "work/keys/b.sock", "other/c.sock"), concealed: at("work/keys") }),
    ).toEqual(["--dir B/home", work, ...empty("B/work/keys"), "--ro-bind /dev/null B/work/a.sock", cwd])
  })
})

describe("of the home folder", () => {
  test("programs are seen: the folder above `bin` only where it belongs to nothing else", () => {
    make("home/.local/share/mise/node/bin/", "home/.local/bin/", "home/tools/", "home/bin/")
    make("home/a/b/c/bin/", "home/a/b/tools/x/y/")
    const names = [
      "home/a/b/c/bin",
      "home/a/b/tools/x/y",
      "home/.local/share/mise/node/bin",
      "home/.local/bin",
      "home/tools",
      "home/bin",
      "home/none",
    ]
    expect(own({ path: ["/usr/bin", ...at(...names)].join(":") })).toEqual([
      "--dir B/home",
      fixed("B/home/a/b/c"),
      fixed("B/home/a/b/tools/x/y"),
      fixed("B/home/.local/share/mise/node"),
      fixed("B/home/.local/bin"),
      fixed("B/home/tools"),
      fixed("B/home/bin"),
      work,
      cwd,
    ])
  })

  test("secrets stay hidden where it is worked in itself", () => {
    make("home/.ssh/id", "home/.netrc", "home/.config/x", "home/project/a")
    const home = path.join(base, "home")
    expect(own({ root: home, cwd: home, protected: [".ssh/config", "project"] })).toEqual([
      "--dir B/home",
      "--bind B/home B/home",
      "--tmpfs B/home/.ssh",
      "--tmpfs B/home/.config",
      "--ro-bind /dev/null B/home/.netrc",
      fixed("B/home/project"),
      "--chdir B/home",
    ])
  })

  test("programs elsewhere need not be shown", () => {
    make("home/tools/")
    const found = lines({ path: `/usr/bin:${at("home/tools")[0]}` })
    expect([found.includes(fixed("/usr/bin")), found.includes(fixed("B/home/tools"))]).toEqual([false, true])
  })

  test("a folder above secrets may be worked in, where a person names it", () => {
    make("home/.local/share/x")
    expect(own({ writable: at("home/.local") })).toEqual([
      "--dir B/home",
      work,
      "--bind B/home/.local B/home/.local",
      cwd,
    ])
  })

  test("secrets are not hidden where only a part of it is worked in", () => {
    make("home/.config/", "home/project/")
    const root = path.join(base, "home/project")
    expect(own({ root, cwd: root })).toEqual([
      "--dir B/home",
      "--bind B/home/project B/home/project",
      "--chdir B/home/project",
    ])
  })
})

describe("of a worktree", () => {
  const tree = (own: string, more: { readonly gitdir?: string; readonly config?: string }) => {
    make(`other/.git/${own}/`)
    fs.writeFileSync(path.join(base, "work/.git"), `gitdir: ${base}/other/.git/${own}\n`)
    for (const [name, text] of Object.entries(more))
      fs.writeFileSync(path.join(base, "other/.git", own, name), text.replaceAll("B", base))
  }
  const shown = fixed("B/other/.git")

  test("that is only seen, its repository is, too", () => {
    make("other/.git/worktrees/w/")
    fs.writeFileSync(path.join(base, "seen/.git"), `gitdir: ${base}/other/.git/worktrees/w\n`)
    fs.writeFileSync(path.join(base, "other/.git/worktrees/w/gitdir"), `${base}/seen/.git\n`)
    expect(own({ visible: at("seen") })).toEqual(["--dir B/home", fixed("B/seen"), shown, work, cwd])
  })

  test.each([
    ["its repository is seen where that says so", "worktrees/w", { gitdir: "B/work/.git\n" }, [shown]],
    ["and of a module", "modules/w", { config: "[core]\n\tworktree = ../../../../work\n" }, [shown]],
    ["and not where it says otherwise", "worktrees/w", { gitdir: "B/elsewhere/.git\n" }, []],
    ["and not where it says nothing", "worktrees/w", {}, []],
    ["and not where it is no repository's", "objects/w", { gitdir: "B/work/.git\n" }, []],
  ] as const)("%s", (_, place, files, expected) => {
    tree(place, files)
    expect(own()).toEqual(["--dir B/home", ...expected, work, cwd])
  })
})

import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { buildChildEnvironment, isPassedOn } from "./child-environment.ts"

const child = (environment: Record<string, string>, grants: readonly string[] = []) =>
  buildChildEnvironment(environment, { root: "/work", grants, marker: "run:1" })

describe("207: the environment of a child process", () => {
  test.each([
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GITHUB_TOKEN",
    "DB_PASSWORD",
    "my_secret",
    "AWS_CREDENTIALS",
    "SSH_AUTH_SOCK",
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "BASH_ENV",
    "ENV",
    "GIT_SSH_COMMAND",
    "GIT_CONFIG_GLOBAL",
    "PYTHONPATH",
    "PROMPT_COMMAND",
    "BASH_FUNC_ls%%",
    "CDPATH",
    "ANYTHING",
  ])("%s is not in it", (name) => {
    expect(child({ [name]: "x" })).not.toHaveProperty([name])
  })

  test.each([
    "sk-ant-REDACTED",
    "ghp_abcdefghijklmnop1234",
    "AKIAABCDEFGHIJKLMNOP",
    "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0NTY3ODkw.abc",
    "https://user:password@host/",
    "-----BEGIN RSA PRIVATE KEY-----",
  ])("a harmless name with the value %s is not in it", (value) => {
    expect(child({ LANG: value })).not.toHaveProperty("LANG")
  })

  test("what was granted by name is, and nothing like it", () => {
    const environment = child({ NPM_TOKEN: "npm", NPM_TOKEN_2: "other" }, ["NPM_TOKEN"])
    expect(environment.NPM_TOKEN).toBe("npm")
    expect(environment).not.toHaveProperty("NPM_TOKEN_2")
  })

  test("the harmless, and what keeps programs from waiting", () => {
    expect(
      child({ HOME: "/home/u", LANG: "C.UTF-8", LC_ALL: "C", TERM: "xterm", PAGER: "less" }),
    ).toMatchObject({
      HOME: "/home/u",
      LANG: "C.UTF-8",
      LC_ALL: "C",
      TERM: "dumb",
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      CADRE_RUN: "run:1",
    })
  })

  test("a run that it starts is one level deeper, whatever was handed down", () => {
    const depths = [undefined, 0, 2].map(
      (depth) =>
        buildChildEnvironment(
          { CADRE_DEPTH: "9" },
          { root: "/work", marker: "run:1", ...(depth !== undefined && { depth }) },
        ).CADRE_DEPTH,
    )
    expect(depths).toEqual(["1", "1", "3"])
  })

  test("programs are not looked up in the workspace, nor in relative folders", () => {
    const { PATH } = child({
      PATH: "/work/node_modules/.bin:.::bin:/work:/usr/bin:/work/../work/x:/workshop/bin",
    })
    expect(PATH).toBe("/usr/bin:/workshop/bin")
    expect(child({ PATH: "." }).PATH).toContain("/usr/bin")
  })

  test("no program is looked up in a tree that the run was set apart from", () => {
    const { PATH } = buildChildEnvironment(
      { PATH: "/repo/node_modules/.bin:/usr/bin:/repository/bin" },
      { root: "/work", apart: ["/repo"], marker: "run:1" },
    )
    expect(PATH).toBe("/usr/bin:/repository/bin")
  })
})

test("the whole environment of a child of an empty one", () => {
  expect(child({})).toEqual({
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    TERM: "dumb",
    NO_COLOR: "1",
    PAGER: "cat",
    MANPAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
    SSH_ASKPASS_REQUIRE: "never",
    EDITOR: "false",
    VISUAL: "false",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    DEBIAN_FRONTEND: "noninteractive",
    CADRE_RUN: "run:1",
    CADRE_DEPTH: "1",
  })
})

test("a grant passes a secret on, but no name that is not a variable", () => {
  const grants = ["API_KEY", "BASH_FUNC_x%%", "1X", "UNSET"]
  const environment = buildChildEnvironment(
    { API_KEY: "sk-abcdefghijkl", "BASH_FUNC_x%%": "() { :; }", "1X": "x", UNSET: undefined },
    { root: "/work", grants, marker: "run:1" },
  )
  expect(grants.filter((name) => name in environment)).toEqual(["API_KEY"])
  expect(environment.API_KEY).toBe("sk-abcdefghijkl")
})

test("a folder of programs counts where it is, not where a link to it is", () => {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "environment-")))
  try {
    for (const folder of ["work/bin", "tools"]) fs.mkdirSync(path.join(base, folder), { recursive: true })
    fs.symlinkSync("work/bin", path.join(base, "in"))
    fs.symlinkSync("../tools", path.join(base, "work/out"))
    fs.symlinkSync("work", path.join(base, "link"))
    const [root, link, inside, out, tools] = ["work", "link", "in", "work/out", "tools"].map((name) =>
      path.join(base, name),
    )
    const PATH = [inside, out, tools].join(":")
    for (const place of [root!, link!])
      expect(buildChildEnvironment({ PATH }, { root: place, marker: "m" }).PATH).toBe(tools)
    expect(buildChildEnvironment({ PATH }, { root: "/", marker: "m" }).PATH).toBe(PATH)
  } finally {
    fs.rmSync(base, { recursive: true, force: true })
  }
})

test.each([
  ["HOME", "/home/u", true],
  ["HOME", "sk-abcdefghijkl", false],
  ["LC_AUTH", "x", false],
  ["XHOME", "x", false],
  ["CADRE_RUN", "x", true],
  ["CADRE_DEPTH", "x", true],
  ["CADRE_HOST", "x", true],
  ["CADRE_OTHER", "x", false],
])("every command has %s=%s: %s", (name, value, expected) => {
  expect(isPassedOn(name, value)).toBe(expected)
})

test("a child has the same fixed variables, whatever its host has", () => {
  const own = { PATH: "/usr/bin", EDITOR: "vim", PAGER: "less", GIT_ASKPASS: "/bin/ask", TERM: "xterm" }
  expect(child(own)).toEqual({
    PATH: "/usr/bin",
    TERM: "dumb",
    NO_COLOR: "1",
    PAGER: "cat",
    MANPAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
    SSH_ASKPASS_REQUIRE: "never",
    EDITOR: "false",
    VISUAL: "false",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    DEBIAN_FRONTEND: "noninteractive",
    CADRE_RUN: "run:1",
    CADRE_DEPTH: "1",
  })
})

test.each([
  ["bin:/usr/bin:.:", "/usr/bin"],
  ["/work/bin:/usr/bin:/work", "/usr/bin"],
  ["/workshop/bin", "/workshop/bin"],
  ["", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
  ["bin", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
])("programs are looked up in %j as in %j", (given, expected) => {
  expect(child({ PATH: given }).PATH).toBe(expected)
})

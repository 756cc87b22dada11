import path from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { put, temporaryFolder } from "../../../test/file-kit.ts"
import { naming } from "../../../test/naming.ts"
import type { Agent } from "../../agent/agent.ts"
import type { ServerFile } from "../servers/server-files.ts"
import {
  describeServerGains,
  findScriptClaims,
  findServerClaims,
  listBroughtServers,
} from "./server-claims.ts"
import type { TrustPolicy } from "./trusted-agents.ts"
import { checkServerFiles, listServers, type ServerEntry, splitServers } from "./trusted-servers.ts"

let root = ""
let home = ""
beforeEach(() => {
  root = temporaryFolder()
  home = temporaryFolder()
})

const one = { command: "one" }
const two = { command: "two" }

const serverFile = (more: Partial<ServerFile>): ServerFile => ({
  file: path.join(root, ".mcp.json"),
  folder: root,
  content: { hash: "h", text: "t" },
  servers: {},
  invalid: {},
  disabled: [],
  off: [],
  kind: "mcp",
  diagnostics: [],
  ...more,
})

interface Given {
  readonly serverFiles?: readonly ServerFile[]
  /** Of the user. */
  readonly own?: object
  /** All that take effect. */
  readonly effective?: object
  /** All that are written. */
  readonly written?: object
  readonly files?: readonly string[]
  readonly trusted?: readonly string[]
}

function sources({
  serverFiles = [],
  own = {},
  effective = own,
  written = effective,
  files = [],
  trusted,
}: Given) {
  const trusting = (
    trusted === undefined
      ? "all"
      : { root, of: ({ hash }: { hash: string }) => (trusted.includes(hash) ? "trusted" : "new") }
  ) as TrustPolicy
  const configuration = { own: { mcpServers: own }, mcpServers: effective, files, rules: {} }
  return { serverFiles, configuration, written: { mcpServers: written, files }, root, trusting } as never
}
const listed = (given: Given) => listServers(sources(given))
const settingsFile = () => path.join(root, ".cadre/config.yaml")
const userFile = () => path.join(home, "config.yaml")

describe("the servers of a project and of its user", () => {
  test("of the user's configuration are the user's", () => {
    expect(listed({ own: { a: one }, files: [settingsFile(), userFile()] })).toEqual([
      { name: "a", of: "user", file: userFile(), settings: one },
    ])
    expect(listed({ own: { a: one } })).toEqual([{ name: "a", of: "user", file: undefined, settings: one }])
  })

  test("of the project's configuration are the project's, and wait for trust", () => {
    const file = settingsFile()
    const common = { of: "project", file, folder: root }
    expect(listed({ written: { a: one, b: two }, effective: { b: two }, files: [userFile(), file] })).toEqual(
      [
        { ...common, name: "a", settings: one, withheld: naming(".cadre/config.yaml", "not trusted") },
        { ...common, name: "b", settings: two },
      ],
    )
    expect(listed({ written: { a: one }, effective: {}, files: [] })).toEqual([
      {
        name: "a",
        of: "project",
        file: undefined,
        settings: one,
        withheld: naming("its file", "not trusted"),
      },
    ])
  })

  test("of a file are the project's, where that is trusted", () => {
    const file = path.join(root, ".mcp.json")
    const serverFiles = [serverFile({ servers: { a: one } })]
    const entry = { name: "a", of: "project", file, folder: root, settings: one }
    expect(listed({ serverFiles, trusted: ["h"] })).toEqual([entry])
    expect(listed({ serverFiles })).toEqual([entry])
    expect(listed({ serverFiles, trusted: [] })).toEqual([
      { ...entry, withheld: naming("not started: .mcp.json", "cadre trust") },
    ])
    expect(
      listed({
        serverFiles: [serverFile({ servers: { a: one }, content: undefined as never })],
        trusted: ["h"],
      }),
    ).toEqual([{ ...entry, withheld: naming("not trusted") }])
  })

  test("of a file elsewhere are none of this project", () => {
    expect(
      listed({ serverFiles: [serverFile({ file: path.join(home, ".mcp.json"), servers: { a: one } })] }),
    ).toEqual([])
  })

  test.each<[string, readonly string[], readonly (string | undefined)[]]>([
    ["by their names", ["a"], ["settings.json", undefined]],
    ["all at once", ["*"], ["settings.json", "settings.json"]],
    ["by other names", ["c"], [undefined, undefined]],
  ])("are switched off by settings, %s", (_, disabled, by) => {
    const settings = serverFile({
      kind: "settings",
      file: path.join(root, ".claude/settings.json"),
      disabled,
    })
    const entries = listed({ serverFiles: [serverFile({ servers: { a: one, b: two } }), settings] })
    expect(entries.map(({ name, withheld }) => [name, withheld])).toEqual(
      ["a", "b"].map((name, index) => [
        name,
        by[index] === undefined ? undefined : naming("disabledMcpjsonServers", ".claude/settings.json"),
      ]),
    )
  })

  test("of settings are not switched off by settings, and one of the user is shown with its whole path", () => {
    const settings = serverFile({ kind: "settings", servers: { a: one }, disabled: ["*"] })
    expect(listed({ serverFiles: [settings] })[0]).not.toHaveProperty("withheld")
    const file = path.join(home, ".claude/settings.json")
    const users = serverFile({ kind: "settings", file, disabled: ["a"] })
    expect(listed({ serverFiles: [serverFile({ servers: { a: one } }), users] })[0]?.withheld).toContain(file)
  })

  test("that are off, or cannot be used, are told with the reason, and have no settings", () => {
    const entries = listed({ serverFiles: [serverFile({ off: ["a"], invalid: { b: "has no command" } })] })
    expect(entries).toEqual([
      {
        name: "a",
        of: "project",
        file: path.join(root, ".mcp.json"),
        folder: root,
        withheld: naming("disabled", ".mcp.json"),
      },
      {
        name: "b",
        of: "project",
        file: path.join(root, ".mcp.json"),
        folder: root,
        withheld: naming(".mcp.json", "has no command"),
      },
    ])
  })

  test("of one name are one: the user's, then the configuration's, then the nearest file's", () => {
    const near = serverFile({ servers: { a: one, b: one, c: one }, off: ["a"] })
    const far = serverFile({ servers: { c: two, d: two } })
    const entries = listed({
      serverFiles: [near, far],
      own: { a: two },
      effective: { a: two, b: two },
      written: { a: one, b: two },
      files: [settingsFile()],
    })
    expect(entries.map(({ name, of, settings }) => [name, of, settings])).toEqual([
      ["a", "user", two],
      ["b", "project", two],
      ["c", "project", one],
      ["d", "project", two],
    ])
  })
})

test("servers are split into those of the user, those of the project, and those that are withheld", () => {
  const entry = (name: string, more: Partial<ServerEntry>): ServerEntry => ({
    name,
    of: "project",
    file: undefined,
    ...more,
  })
  expect(
    splitServers([
      entry("a", { of: "user", settings: one }),
      entry("b", { settings: two, folder: "/work" }),
      entry("c", { settings: two }),
      entry("d", { of: "user", settings: one, withheld: "is off" }),
      entry("e", { settings: two, folder: "/work", withheld: "is not trusted" }),
      entry("f", { of: "user" }),
      entry("g", { folder: "/work" }),
    ]),
  ).toEqual({
    servers: { a: one },
    project: { b: { settings: two, folder: "/work" } },
    withheld: { d: "is off", e: "is not trusted" },
  })
})

describe("a server that another one of its name hides is told", () => {
  const codes = (given: Given) =>
    checkServerFiles(sources(given)).map(({ code, file }) => [code, path.basename(file!)])
  const shadowed = (file: string) => ["mcp-server-shadowed", file]

  test.each<[string, object, object, readonly unknown[]]>([
    ["which is another", { a: one }, { a: two }, [shadowed(".mcp.json")]],
    ["and not where it is the same", { a: one }, { a: { ...one, timeout: 5 } }, []],
    ["and not where nothing has its name", { a: one }, { b: two }, []],
    ["and not by what every object has", { constructor: one }, {}, []],
  ])("in a file: %s", (_, servers, effective, expected) => {
    expect(codes({ serverFiles: [serverFile({ servers: servers as never })], effective })).toEqual(expected)
  })

  test("beside what is wrong with the file itself", () => {
    const diagnostics = [{ code: "mcp-entry", file: "x" }] as never
    expect(
      codes({ serverFiles: [serverFile({ servers: { a: one }, diagnostics })], effective: { a: two } }),
    ).toEqual([["mcp-entry", "x"], shadowed(".mcp.json")])
  })

  test("in the configuration of a project", () => {
    put(root, { ".cadre/config.yaml": "mcpServers: {a: {command: one}, b: {command: two}}\n" })
    const given = { files: [settingsFile()], own: { a: two, b: { command: "two" } } }
    expect(codes(given)).toEqual([shadowed("config.yaml")])
    expect(codes({ ...given, own: {} })).toEqual([])
  })
})

describe("what a person is told of servers before they trust a file", () => {
  const none = { endpoints: [] }

  test("are its servers, what is wrong with others, and the scripts that they run", () => {
    put(root, { "run.mjs": "1", "lib/other.mjs": "2" })
    const servers = { a: { command: "node", args: ["run.mjs"] }, b: { url: "https://b.test" } }
    const file = path.join(root, ".mcp.json")
    expect(
      findServerClaims({ serverFiles: [serverFile({ servers, invalid: { c: "has no command" } })] }, root),
    ).toEqual([
      {
        file,
        hash: "h",
        text: "t",
        gains: [
          naming("starts", "a", '"node" "run.mjs"'),
          naming("b", "https://b.test"),
          naming("c", "has no command"),
        ],
        ...none,
      },
      {
        file: path.join(root, "run.mjs"),
        hash: expect.any(String),
        text: "1",
        isScript: true,
        gains: [naming("MCP server a")],
        ...none,
      },
    ])
  })

  test("are none of a file elsewhere, or without content", () => {
    const servers = { a: one }
    const files = [
      serverFile({ file: path.join(home, ".mcp.json"), servers }),
      serverFile({ servers, content: undefined as never }),
    ]
    expect(findServerClaims({ serverFiles: files }, root)).toEqual([])
  })

  test("are scripts of the project alone", () => {
    put(root, { "run.mjs": "1" })
    put(home, { "run.mjs": "2" })
    const run = (...args: readonly string[]) =>
      findScriptClaims(
        { a: { command: "node", args }, b: { url: "https://b.test" } },
        { folder: root, root },
      ).map(({ file }) => path.relative(root, file))
    expect([
      run("run.mjs"),
      run("none.mjs"),
      run(path.join(home, "run.mjs")),
      run("--import=./run.mjs"),
    ]).toEqual([["run.mjs"], [], [], ["run.mjs"]])
  })
})

describe("what a definition gains by its servers", () => {
  const agent = (...mcpServers: readonly unknown[]) =>
    ({ name: "a", origin: { scope: "user" }, mcpServers }) as unknown as Agent

  test("is nothing without any", () => {
    expect([
      describeServerGains({ name: "a", origin: {} } as unknown as Agent, root),
      describeServerGains(agent(), root),
    ]).toEqual([[], []])
  })

  test("are the servers that it names, and those that it brings", () => {
    put(root, { "run.mjs": "1" })
    const brings = agent(
      "x",
      "y",
      { own: { command: "node", args: ["run.mjs"] } },
      { far: { url: "https://b.test" } },
      { odd: 7 },
    )
    expect(describeServerGains(brings, root)).toEqual([
      naming("x, y"),
      naming("own", '"node" "run.mjs"', "; runs run.mjs"),
      expect.stringMatching(/far at https:\/\/b\.test(?!.*runs)/),
    ])
    expect(Object.keys(listBroughtServers(brings))).toEqual(["own", "far"])
  })
})

import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { FunctionTool, ToolContext, ToolOutput } from "../../src/agent/tool.ts"
import { formats } from "../../src/definitions/formats/index.ts"
import { listDefinitionFiles } from "../../src/definitions/registry/definition-files.ts"
import { isProtected } from "../../src/ground/paths/protected.ts"
import { type BashToolOptions, createBashTool } from "../../src/world/tools/bash.ts"
import { put } from "../file-kit.ts"
import { naming } from "../naming.ts"
import { makeWorld, sandboxMissing } from "./kit.ts"

let world: ReturnType<typeof makeWorld>
beforeEach(() => {
  world = makeWorld()
})
afterEach(() => world.remove())

/** A file that is read, for each format, each place of it and each ending. */
const files = formats.flatMap(({ id, locations: { project, extensions, only } }) =>
  project.flatMap((place) =>
    extensions.map((ending) => [
      id,
      `${place}/x${only?.test(`_subagent${ending}`) ? "_subagent" : ""}${ending}`,
    ]),
  ),
) as readonly (readonly [string, string])[]

const around = (cwd: string) =>
  listDefinitionFiles({ cwd, home: world.home, userFolder: path.join(world.home, ".config/cadre") })

async function bash(
  command: string,
  options: BashToolOptions = {},
  cwd = path.join(world.root, "sub"),
): Promise<ToolOutput> {
  const tool = createBashTool({
    root: world.root,
    sandbox: "required",
    home: world.home,
    ...options,
  }) as FunctionTool
  const context = {
    cwd,
    key: "definitions:1",
    signal: new AbortController().signal,
  } as unknown as ToolContext
  return (await tool.execute({ command, timeout: 60_000 }, context)) as ToolOutput
}

/** By a name that shows only when it runs. */
const writing = (file: string) =>
  `place=$(echo ${file}); mkdir -p "$(dirname $place)"; echo 'name: x' > $place; echo ended`

test("every format has a place in the table", () => {
  expect([...new Set(files.map(([id]) => id))]).toEqual(formats.map(({ id }) => id))
})

describe.skipIf(sandboxMissing).each(["by the tool alone", "as cadre lists them"])(
  "a command in the sandbox makes no definition, %s",
  (how) => {
    const options = () => (how === "as cadre lists them" ? { definitions: around } : {})

    test.each(files)("of %s: %s", async (_, file) => {
      const names = [file, `../${file}`, path.join(path.dirname(file), "deep/er", path.basename(file))]
      const { text } = await bash(names.map(writing).join("\n"), options())
      expect(text).toContain("ended")
      expect(around(path.join(world.root, "sub"))).toEqual([])
    })

    test("behind a link to another folder", async () => {
      await bash(
        "mkdir other ../agents; echo x > other/x_subagent.yaml; ln -s ../sub/other ../agents/y; ln -s other/x_subagent.yaml .; ln -s loop ../agents/loop; ln -s .. ../agents/up; echo ended",
        options(),
      )
      expect(around(path.join(world.root, "sub"))).toEqual([])
    })

    test("and changes none that is there", async () => {
      for (const [, file] of files) put(world.root, { [file]: "mine" })
      put(world.root, { "agents/deep/y_subagent.yml": "mine" })
      const before = around(path.join(world.root, "sub"))
      await bash(
        `for file in $(find .. -name '*x*' -o -name '*_subagent*'); do echo evil > $file; mv $file $file.away; rm -f $file; done; mv ../agents ../away; true`,
        options(),
      )
      expect(around(path.join(world.root, "sub"))).toEqual(before)
      for (const file of before) expect(fs.readFileSync(file, "utf8")).toBe("mine")
    })
  },
)

describe.skipIf(sandboxMissing)("what a command makes where other files are", () => {
  test("is moved aside, and the result tells where", async () => {
    const { text } = await bash(
      `mkdir ../agents; echo mine > ../agents/tool.py; ${writing("../agents/x_subagent.yaml")}`,
    )
    const [aside] = fs.readdirSync(path.join(world.root, "agents")).filter((name) => name !== "tool.py")
    expect(text).toEqual(
      naming("ended\n[", "definition of an agent", `moved to ${path.join(world.root, "agents", aside!)}.]`),
    )
    expect(aside).toMatch(/^x_subagent\.yaml\.refused-[0-9a-f]{8}$/)
    expect(fs.readFileSync(path.join(world.root, "agents/tool.py"), "utf8")).toBe("mine\n")
  })

  test("is moved aside, also in the folder of the configuration and in a package", async () => {
    const definitions = (cwd: string) =>
      listDefinitionFiles({ cwd, home: world.home, userFolder: "/none", agentsDir: "remora" })
    put(world.root, { "sub/package.json": JSON.stringify({ dependencies: { evil: "1" } }) })
    await bash(
      `${writing("remora/x_subagent.yaml")}; mkdir -p node_modules/evil/agents; cd node_modules/evil
      echo '{"cadre": {"agents": "agents"}}' > package.json; echo x > agents/x.md`,
      { definitions },
    )
    expect(definitions(path.join(world.root, "sub"))).toEqual([])
  })
})

describe.skipIf(sandboxMissing)(
  "a command makes no definition in folders that its run does not work in",
  () => {
    const elsewhere = ["packages/a", "packages/new/deep", ".hidden/x", "sub/below"]

    test.each(files)("of %s: %s", async (_, file) => {
      put(world.root, { "packages/a/code.ts": "", "sub/below/code.ts": "" })
      const { text } = await bash(elsewhere.map((folder) => writing(`../${folder}/${file}`)).join("\n"))
      expect(text).toContain("ended")
      for (const folder of elsewhere) expect(around(path.join(world.root, folder))).toEqual([])
    })

    test("nor by moving or linking what is there, which loses nothing", async () => {
      put(world.root, {
        "notes/agents/x.md": "mine",
        "packages/a/.claude/agents/kept.md": "mine",
        "packages/b/.claude/settings.md": "",
        "packages/b/y.md": "mine",
      })
      await bash(
        `cd ..; it=$(echo .claude); mkdir packages/c packages/d packages/e; ln -s ../../notes packages/c/$it; cp -r notes packages/d/$it
      ln -s ../../notes packages/e/$it; ln -s .. notes/agents/loop; mkdir packages/b/$it/agents; mv packages/b/y.md packages/b/$it/agents`,
      )
      const made = ["b", "c", "d", "e"].flatMap((name) => around(path.join(world.root, "packages", name)))
      expect(made).toEqual([])
      expect(around(path.join(world.root, "packages/a"))).toEqual([
        path.join(world.root, "packages/a/.claude/agents/kept.md"),
      ])
      expect(fs.readFileSync(path.join(world.root, "notes/agents/x.md"), "utf8")).toBe("mine")
      const [moved] = fs.readdirSync(path.join(world.root, "packages/b/.claude/agents"))
      expect(fs.readFileSync(path.join(world.root, "packages/b/.claude/agents", moved!), "utf8")).toBe("mine")
    })

    test("and what else it makes there stays", async () => {
      const { text } = await bash(
        "cd ..; it=$(echo .claude); mkdir -p packages/a/$it packages/a/agents; echo x | tee packages/a/$it/notes.md packages/a/agents/x.yaml; git init -q packages/a; ls -A packages/a",
      )
      expect(text).toBe("x\n.claude\n.git\nagents")
    })
  },
)

describe("without a sandbox, a command that plainly writes a definition does not run", () => {
  test.each(files)("of %s: %s", async (_, file) => {
    expect(isProtected(world.root, path.join(world.root, file), "write")).toContain("is protected")
    for (const command of [
      `echo x > ${file}`,
      `cp a ${file}`,
      `mkdir -p ${path.dirname(file)} && tee ${file} < a`,
    ]) {
      const { text } = await bash(command, { sandbox: "off" }, world.root)
      expect([command, text]).toEqual([command, expect.stringMatching(/^Not run: .* is protected/)])
    }
    expect(around(world.root)).toEqual([])
  })
})

test.skipIf(sandboxMissing)(
  "what stands for a missing .git makes no repository while a command runs",
  async () => {
    put(world.root, { ".claude/agents/x.md": "---\nname: x\n---\nx" })
    const seen: (readonly string[])[] = []
    const running = bash("sleep 2")
    const standIn = path.join(world.root, "sub/.git")
    await expect.poll(() => fs.existsSync(standIn), { interval: 5 }).toBe(true)
    seen.push(around(path.join(world.root, "sub")))
    await running
    expect(seen).toEqual([[path.join(world.root, ".claude/agents/x.md")]])
  },
)

import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { PermissionRule } from "../../src/agent/agent.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { contents } from "../file-kit.ts"
import { results, world as runtimeWorld } from "../kit.ts"
import { makeWorld, sandboxMissing } from "./kit.ts"

let world: ReturnType<typeof makeWorld>
beforeEach(() => {
  world = makeWorld()
  fs.rmSync(path.join(world.root, ".git"), { recursive: true })
  fs.rmSync(path.join(world.root, "sub"), { recursive: true })
  const files = ["src/a.ts", "src/deep/b.ts", "lib/c.ts", ".env", "lib/.env", "data/prod/x", "data/test/x"]
  for (const name of files) {
    fs.mkdirSync(path.dirname(path.join(world.root, name)), { recursive: true })
    fs.writeFileSync(path.join(world.root, name), `text of ${name}\n`)
  }
})
afterEach(() => world.remove())

/** In bypass everything is allowed that no rule speaks of. */
async function bash(
  command: string,
  deny: readonly string[],
  { sandbox = "required", ask = [] }: { sandbox?: "required" | "off"; ask?: readonly string[] } = {},
) {
  const rules: readonly PermissionRule[] = [
    ...deny.map((tool) => ({ tool, decision: "deny" as const })),
    ...ask.map((tool) => ({ tool, decision: "ask" as const })),
  ]
  const { runtime, store } = runtimeWorld({
    script: { a: [{ calls: [{ tool: "Bash", input: { command } }] }, { text: "done" }] },
    tools: [createBashTool({ root: world.root, sandbox, home: world.home })],
    runtime: { rules },
  })
  const handle = runtime.run("a", "go", { cwd: world.root })
  const { status } = await handle.done
  return { status, text: (await results(store, handle.id))[0] ?? "" }
}

/** As a program would: nobody sees in the command what it does. */
const running = (program: string) => `bash -c "$(echo '${program}')"`

describe.skipIf(sandboxMissing)(
  "in bypass the sandbox holds what nobody can tell to the rules about files",
  () => {
    const writes =
      "for f in new src/a.ts src/deep/b.ts src/new lib/c.ts .env lib/.env data/prod/x data/test/x; do echo evil >> $f; done"
    const all = [
      "new",
      "src/a.ts",
      "src/deep/b.ts",
      "src/new",
      "lib/c.ts",
      ".env",
      "lib/.env",
      "data/prod/x",
      "data/test/x",
    ]

    test.each<[title: string, deny: readonly string[], kept: readonly string[]]>([
      // An .env that is there is protected without any rule, where it would be followed.
      ["no rule", [], [".env"]],
      ["a folder", ["Edit(src/**)"], [".env", "src/"]],
      ["a file", ["Write(lib/c.ts)"], [".env", "lib/c.ts"]],
      ["a name anywhere", ["Edit(.env)"], [".env", "lib/.env"]],
      ["a name anywhere below", ["Edit(**/x)"], [".env", "data/prod/x", "data/test/x"]],
      ["a star", ["Edit(data/*/x)"], [".env", "data/prod/x", "data/test/x"]],
      ["an ending", ["Edit(*.ts)"], [".env", "src/a.ts", "src/deep/b.ts", "lib/c.ts"]],
      ["everything", ["Edit(**)"], ["src/", "lib/", ".env", "data/", "new"]],
      ["what is not there yet", ["Edit(src/new)", "Edit(other/**)"], [".env", "src/new"]],
      ["another rule than about files", ["Bash(git push:*)"], [".env"]],
    ])("writing: %s", async (_, deny, kept) => {
      const { status, text } = await bash(running(writes), deny)
      const changed = Object.entries(contents(world.root)).flatMap(([name, content]) =>
        content.includes("evil") ? [name] : [],
      )
      expect([status, changed]).toEqual([
        "ended",
        all.filter((name) => !kept.some((one) => name.startsWith(one))).sort(),
      ])
      expect(text).not.toContain("sandbox could not be made")
    })

    test.each<[title: string, deny: readonly string[], kept: readonly string[]]>([
      ["no rule", [], []],
      ["a folder", ["Read(data/prod/**)"], ["data/prod/x"]],
      ["a file", ["Read(lib/c.ts)"], ["lib/c.ts"]],
      ["a name anywhere", ["Read(**/.env)"], [".env", "lib/.env"]],
      ["by another tool's name", ["Grep(src/**)"], ["src/a.ts", "src/deep/b.ts"]],
      ["what may not be written either", ["Read(src/deep/**)", "Edit(src/**)"], ["src/deep/b.ts"]],
    ])("reading: %s", async (_, deny, kept) => {
      const { text } = await bash(running("cat */* */*/* .env lib/.env 2>/dev/null | sort"), deny)
      const seen = [
        "src/a.ts",
        "src/deep/b.ts",
        "lib/c.ts",
        ".env",
        "lib/.env",
        "data/prod/x",
        "data/test/x",
      ].filter((name) => !kept.includes(name))
      const lines = text.split("\n").filter((line) => line.startsWith("text of "))
      expect([...new Set(lines)].sort()).toEqual(seen.map((name) => `text of ${name}`).sort())
    })

    test.each([
      [
        "a folder above is moved away and made anew",
        "mv data d2; mkdir -p data/prod; echo evil > data/prod/x",
      ],
      ["it is moved away itself", "mv data/prod p; mkdir data/prod; echo evil > data/prod/x"],
      ["it is removed", "rm -rf data; mkdir -p data/prod; echo evil > data/prod/x"],
      ["by a link", "ln -s data/prod/x l; echo evil >> l"],
      ["by a hard link", "ln data/prod/x l; echo evil >> l"],
      ["by a link to the folder", "ln -s data d; echo evil >> d/prod/x"],
      ["by unmounting", "umount data/prod; unshare -rm umount data/prod; echo evil >> data/prod/x"],
      ["by its rights", "chmod -R 777 data; echo evil >> data/prod/x"],
    ])("a way around it: %s", async (_, program) => {
      await bash(running(`${program}; true`), ["Edit(data/prod/**)"])
      expect(fs.readFileSync(path.join(world.root, "data/prod/x"), "utf8")).toBe("text of data/prod/x\n")
      expect(fs.readdirSync(path.join(world.root, "data/prod"))).toEqual(["x"])
    })

    test("definitions further down cannot be had by moving the folder above them", async () => {
      const { runtime } = runtimeWorld({
        script: {
          a: [
            {
              calls: [
                {
                  tool: "Bash",
                  input: {
                    command: running(
                      "cd ..; mv lib l2; mkdir -p lib/.claude; echo evil > lib/.claude/settings.json",
                    ),
                  },
                },
              ],
            },
            { text: "done" },
          ],
        },
        tools: [createBashTool({ root: world.root, sandbox: "required", home: world.home })],
      })
      await runtime.run("a", "go", { cwd: path.join(world.root, "lib") }).done
      expect(Object.values(contents(world.root)).filter((text) => text.includes("evil"))).toEqual([])
    })

    test("a file outside of the workspace that a rule names is not seen", async () => {
      const [file] = ["/etc/passwd", "/etc/group"].filter((name) => fs.existsSync(name))
      expect((await bash(running(`cat ${file} | wc -c`), [])).text).not.toBe("0")
      expect((await bash(running(`cat ${file} | wc -c`), [`Read(${file})`])).text).toMatch(/(?:^|\n)0$/)
    })

    test("nothing is left of what stood for a file that is not there", async () => {
      await bash(running("ls"), ["Edit(none/of/these/**)", "Edit(new.ts)"])
      expect(fs.readdirSync(world.root).sort()).toEqual([".env", "data", "lib", "src"])
    })

    test("what a rule asks about cannot be held: what nobody can tell asks", async () => {
      expect((await bash(running("true"), [], { ask: ["Edit(src/**)"] })).status).toBe("resting")
      expect((await bash("ls lib", [], { ask: ["Edit(src/**)"] })).status).toBe("ended")
      expect((await bash(running("true"), [], { ask: ["Bash(git push:*)"] })).status).toBe("ended")
    })

    test("too many single files are refused and not let through", async () => {
      fs.mkdirSync(path.join(world.root, "many"))
      for (let index = 0; index < 1_100; index++)
        fs.writeFileSync(path.join(world.root, `many/${index}.lock`), "")
      expect((await bash(running("echo ran"), ["Edit(*.lock)"])).text).toMatch(
        /^Not run: rules deny more than 1000 single files/,
      )
      expect((await bash(running("echo ran"), ["Edit(many/**)"])).text).toBe("ran")
    })
  },
)

test("without a sandbox what nobody can tell asks, as soon as a rule denies something", async () => {
  const off = { sandbox: "off" } as const
  expect((await bash(running("true"), [], off)).status).toBe("ended")
  for (const rule of ["Read(.env)", "Edit(src/**)", "Bash(git push:*)", "WebFetch(evil.com)"])
    expect([rule, (await bash(running("true"), [rule], off)).status]).toEqual([rule, "resting"])
  expect((await bash("ls lib", ["Read(.env)"], off)).status).toBe("ended")
})

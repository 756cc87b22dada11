import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { makeHostileRepository } from "./hostile/repository.ts"
import { traced, traceMissing } from "./hostile/trace.ts"

const cadre = path.resolve(import.meta.dirname, "../../dist/cli.mjs")
const help = spawnSync(process.execPath, [cadre, "--help"], { encoding: "utf8" }).stdout
const exists = (command: string): boolean => new RegExp(`^  ${command} `, "m").test(help)

/** Everything that only looks, or is to refuse without anybody's word. */
const looks: readonly (readonly string[])[] = [
  ["list"],
  ["list", "--json"],
  ["list", "--names"],
  ["check"],
  ["check", "--json"],
  ["check", "--format", "github"],
  ["check", "--format", "sarif"],
  ["check", "."],
  ["show", "bypass"],
  ["show", "owner", "--task", "go"],
  ["show", "template", "--task", "go"],
  ["show", "thief", "--json"],
  ["show", "pym"],
  ["show", "spawner"],
  ["explain", "thief"],
  ["explain", "pym", "--json"],
  ["explain", "spawner", "--parent", "bypass", "--model", "packaged:x"],
  ["explain", "template", "--var", "a=1", "--trust"],
  ["explain", "spawner", "--hooks"],
  ["explain", "thief", "--hooks", "--trust", "--json"],
  ["doctor"],
  ["doctor", "--json"],
  ["config"],
  ["config", "--json"],
  ["models", "--offline", "--all"],
  ["models", "sonnet", "--offline"],
  ["models", "packaged:x", "--offline"],
  ["route", "--auto", "review the diff"],
  ["runs"],
  ["completion", "bash"],
  ["tools"],
  ["trust"],
  ["trust", "--list"],
  ["run", "thief", "go"],
  ["run", "spawner", "go", "--model", "sonnet"],
  ["run", "thief", "go", "--dry-run"],
  ["run", "spawner", "go", "--dry-run", "--trust", "--model", "packaged:x"],
  ["run", "template", "go", "--dry-run", "--trust", "--json"],
].filter(([command]) => exists(command!))

/** Nothing that a terminal obeys, and nothing that turns text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]/

describe.skipIf(traceMissing !== undefined).each(["full", "pipes"] as const)(
  "130, 133, 134, 136, 215: a hostile repository is looked at, and nothing of it is run (%s)",
  (kind) => {
    const repository = makeHostileRepository(kind)
    afterAll(() => repository.remove())
    const before = listing(repository.root)

    test.each(looks.map((words) => [words.join(" "), words] as const))("cadre %s", async (_, words) => {
      const { run, reached, changed, isHung, code, output, errors } = await traced(repository, words)
      expect({ run, reached, changed, isHung }).toEqual({ run: [], reached: [], changed: [], isHung: false })
      expect(code, errors).toBeOneOf([0, 1, 2, 6])
      if (words[0] === "run" && kind === "full" && !words.includes("--trust")) expect(code, errors).toBe(6)
      expect(raw.exec(output + errors)?.[0]).toBeUndefined()
      expect(`${output}${errors}`).not.toContain(repository.environment.ANTHROPIC_API_KEY)
    })

    test("nothing of it was run, and it is as it was", async () => {
      expect(fs.existsSync(repository.marker)).toBe(false)
      expect(listing(repository.root)).toEqual(before)
      // Nobody took .env, .envrc or .npmrc for the environment.
      const { output } = await traced(repository, ["config", "mode", "--json"])
      expect(JSON.parse(output).settings).toMatchObject([{ key: "mode", value: "default" }])
      // What is looked for would have been seen.
      const made = await traced(repository, ["new", "canary"])
      expect({ changed: made.changed.length > 0, run: made.run }).toEqual({ changed: true, run: [] })
      const asked = await traced(repository, ["models"])
      expect(asked.reached).toContainEqual(expect.stringContaining("127.0.0.1"))
    })
  },
)

/** Every file with its size and the time of its last change, as far down as a path can name. */
function listing(folder: string): readonly string[] {
  const { stdout } = spawnSync("find", [folder, "-maxdepth", "12", "-printf", "%p %y %s %T@\\n"], {
    encoding: "latin1",
    maxBuffer: 2 ** 26,
  })
  return stdout.split("\n").sort()
}

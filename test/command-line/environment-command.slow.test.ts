import { execFileSync } from "node:child_process"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"

const secret = "the-secret-of-the-person"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  Object.assign(world.environment, { SOME_API_KEY: secret, PLAIN: secret, LANG: `C.${secret}` })
})
afterEach(() => world.remove())

const bash = (command: string) => ({ tool: "Bash", input: { command } })

describe.skipIf(process.platform !== "linux")("a command without a sandbox", () => {
  test("does not find the environment of cadre, whoever reads it", async () => {
    world.put(
      "work/look.sh",
      `id=$PPID
      while [ "$id" -gt 1 ]; do
        tr '\\0' '\\n' < /proc/$id/environ | sed "s/^/$(cat /proc/$id/comm): /"
        ps eww -p $id
        case "$(tr '\\0' ' ' < /proc/$id/cmdline)" in *cli.mjs*) echo found; break;; esac
        id=$(awk '{ print $4 }' /proc/$id/stat)
      done`,
    )
    world.calling(bash("bash ./look.sh"))
    const [text] = await world.workerResults("--mode", "bypass", "--sandbox", "off")
    expect(text).toContain("found")
    expect(text).toContain("PATH=")
    expect(text!.replaceAll(`LANG=C.${secret}`, "")).not.toContain(secret)
  })

  test.each(["bypass", "accept-edits", "default"])(
    "does not run in mode %s where it plainly reads it",
    async (mode) => {
      world.calling(bash("cat /proc/$PPID/environ"), bash("ps auxeww"))
      for (const text of await world.workerResults("--mode", mode, "--sandbox", "off", "--yes"))
        expect(text).toMatch(/^Not run: .*environment of other processes/)
    },
  )
})

test.skipIf(process.platform !== "linux")(
  "what is hidden is still known to the process itself, and to what it starts",
  () => {
    const hide = path.resolve(import.meta.dirname, "../../src/faces/cli/run/hide-environment.ts")
    const program = `
    const { readFileSync } = await import("node:fs")
    const { execFileSync } = await import("node:child_process")
    const { hideEnvironment } = await import(${JSON.stringify(hide)})
    const shown = () => readFileSync("/proc/self/environ", "utf8").split("\\0").filter(Boolean).sort()
    const before = { ...process.env }
    hideEnvironment(process.env)
    console.log(JSON.stringify({
      isSame: JSON.stringify(Object.entries(before).sort()) === JSON.stringify(Object.entries(process.env).sort()),
      shown: shown(),
      child: execFileSync("/usr/bin/env", { encoding: "utf8" }).split("\\n").filter((line) => line.startsWith("SOME")),
    }))`
    const environment = {
      PATH: "/usr/bin:/bin",
      SOME_API_KEY: secret,
      SOMETHING: "with = and \n in it",
      EMPTY: "",
      CADRE_RUN: "outer:1",
      LANG: "sk-ant-0123456789abcdef",
    }
    const text = execFileSync(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", program],
      {
        env: environment,
        encoding: "utf8",
        cwd: path.resolve(import.meta.dirname, "../.."),
      },
    )
    expect(JSON.parse(text)).toEqual({
      isSame: true,
      shown: ["CADRE_RUN=outer:1", "PATH=/usr/bin:/bin"],
      child: [`SOME_API_KEY=${secret}`, "SOMETHING=with = and "],
    })
  },
)

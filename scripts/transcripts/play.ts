import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"

/** Commands in a project of their own, as a reader would type them. */
export interface Scenario {
  /** Files below the home folder; `repo/` is the project, and the folder that commands run in. */
  readonly files: Readonly<Record<string, string>>
  /** Commands that nobody is shown: what has happened before. */
  readonly before?: readonly string[]
  /**
   * Lines of bash; `/home/ada` stands for the home folder. `echo $?` prints the exit code of the command before it.
   * A line that begins with a space is run and not shown.
   */
  readonly commands: readonly string[]
  /** The commands run in a terminal of so many columns, and a person gives these answers to the questions of the last one. */
  readonly terminal?: { readonly columns: number; readonly answers: readonly string[] }
  /** Files of machines on which the commands print something else. */
  readonly skipWhere?: readonly string[]
}

/** Stands for this repository. */
const installed = "/usr/lib/node_modules/cadre"
/** The same in every transcript: the scripted model. */
const unshown = /^Model: requested /

/** Returns the text on a terminal, with ids, times and folders that are the same every time. */
export function play(root: string, scenario: Scenario): string {
  const home = makeHome()
  try {
    const project = path.join(home, "repo")
    const bin = path.join(home, ".bin")
    write(path.join(bin, "cadre"), `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/cli.mjs" "$@"\n`)
    fs.chmodSync(path.join(bin, "cadre"), 0o755)
    fs.mkdirSync(project, { recursive: true })
    const real = (text: string) => text.replaceAll("/home/ada", home).replaceAll(installed, root)
    for (const [file, text] of Object.entries(scenario.files)) write(path.join(home, file), real(text))
    const environment = {
      PATH: `${bin}:${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      LANG: "C.UTF-8",
      NO_COLOR: "1",
      GIT_CONFIG_NOSYSTEM: "1",
    }
    let code = 0
    const run = (command: string): string => {
      if (command === "echo $?") return `${code}\n`
      const { columns, answers } = scenario.terminal ?? {}
      const isLast = command === scenario.commands.at(-1)
      const words =
        columns === undefined
          ? ["bash", "-c", `exec 2>&1\n${real(command)}`]
          : [
              ...[process.execPath, "--import", path.join(root, "node_modules/tsx/dist/loader.mjs")],
              path.join(root, "scripts/transcripts/terminal.ts"),
              ...[String(columns), JSON.stringify(isLast ? answers : []), real(command)],
            ]
      const { status, stdout } = spawnSync(words[0]!, words.slice(1), {
        cwd: project,
        env: environment,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      })
      code = status ?? 1
      return stdout
    }
    run("git init -q .")
    for (const command of scenario.before ?? []) run(command)
    const shown = scenario.commands.flatMap((command) => {
      const lines = run(command).trimEnd().split("\n")
      if (command.startsWith(" ")) return []
      return [`$ ${command}`, ...lines.filter((line) => !unshown.test(line))].join("\n").trimEnd()
    })
    return normalise(shown.join("\n"), { home, root })
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

/** As long as `/home/ada`, so that tables have the same columns and long lines are cut at the same place. */
function makeHome(): string {
  for (;;) {
    const home = `/tmp/${Math.random().toString(36).slice(2, 6).padEnd(4, "0")}`
    if (fs.existsSync(home)) continue
    fs.mkdirSync(home)
    return home
  }
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

function normalise(text: string, { home, root }: { readonly home: string; readonly root: string }): string {
  const ids: string[] = []
  return text
    .replaceAll(home, "/home/ada")
    .replaceAll(root, installed)
    .replaceAll(/\b01[0-9a-hjkmnp-tv-z]{24}\b/g, (id) => {
      if (!ids.includes(id)) ids.push(id)
      return `01m7qma50kbnh0ghj10cexzy${String(ids.indexOf(id) + 10)}`
    })
    .replaceAll(/20\d\d-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d\d\dZ)?/g, (time) =>
      time.includes("T") ? "2026-11-18T12:00:00.000Z" : "2026-11-18",
    )
    .replaceAll(/(?<=worktrees\/)[0-9a-f]{16}/g, "305d0b0d05af23c6")
    .replaceAll(/\b\d+\.\ds\b/g, "0.3s")
    .replaceAll(/[ \t]+$/gm, "")
}

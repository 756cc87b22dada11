import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import type { ModelScript } from "../src/world/models/scripted.ts"

const built = path.resolve(import.meta.dirname, "..", "dist", "cli.mjs")

/** A home, a state, a configuration and a project of their own, for real processes of the built command. */
export class CommandWorld {
  readonly base: string
  readonly work: string
  readonly scriptFile: string
  readonly environment: NodeJS.ProcessEnv
  readonly #children = new Set<ChildProcess>()

  constructor(folder = os.tmpdir()) {
    this.base = realpathSync(mkdtempSync(path.join(folder, "cadre-run-")))
    this.work = path.join(this.base, "work")
    this.scriptFile = path.join(this.base, "script.json")
    this.environment = {
      PATH: process.env.PATH,
      TMPDIR: os.tmpdir(),
      HOME: path.join(this.base, "home"),
      CADRE_STATE_DIR: path.join(this.base, "state"),
      CADRE_CONFIG_DIR: path.join(this.base, "config"),
    }
    for (const folder of ["home", "config/agents", "work/.git"])
      mkdirSync(path.join(this.base, folder), { recursive: true })
  }

  put(file: string, text: string | Uint8Array): void {
    mkdirSync(path.dirname(path.join(this.base, file)), { recursive: true })
    writeFileSync(path.join(this.base, file), text)
  }

  executable(file: string): void {
    chmodSync(path.join(this.base, file), 0o755)
  }

  /** An agent of the user: those may be run without further ado. */
  agent(name: string, more: readonly string[] = [], folder = "config/agents"): void {
    this.put(
      `${folder}/${name}.md`,
      `---\nname: ${name}\ndescription: Does ${name}.\n${more.map((line) => `${line}\n`).join("")}---\n\nYou are ${name}.\n`,
    )
  }

  script(script: ModelScript): void {
    writeFileSync(this.scriptFile, JSON.stringify(script))
  }

  /** One agent of the user that makes these calls, one a turn, and then says that it is done. */
  calling(...calls: readonly { tool: string; input: object }[]): void {
    this.agent("worker")
    this.script({ worker: [...calls.map((call) => ({ calls: [call] })), { text: "Done." }] })
  }

  runWorker(...words: readonly string[]) {
    return this.json("run", "worker", "Go.", ...words, ...this.model)
  }

  /** What its calls came to. */
  async workerResults(...words: readonly string[]): Promise<readonly string[]> {
    const { result } = await this.runWorker(...words)
    return this.results(result.id)
  }

  get model(): readonly string[] {
    return ["--model", `script:${this.scriptFile}`]
  }

  start(words: readonly string[], input: "closed" | "open" = "closed", folder = this.work): Started {
    const child = spawn(process.execPath, [built, ...words], {
      cwd: folder,
      env: this.environment,
      stdio: [input === "open" ? "pipe" : "ignore", "pipe", "pipe"],
    })
    this.#children.add(child)
    return new Started(child)
  }

  /** A shell with a process group of its own, as a terminal gives one to what is typed. */
  shell(line: string): Started {
    const child = spawn("bash", ["-c", line], {
      cwd: this.work,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    })
    this.#children.add(child)
    return new Started(child)
  }

  async cadre(...words: readonly string[]): Promise<Ended> {
    return this.start(words).ended
  }

  async within(folder: string, ...words: readonly string[]): Promise<Ended> {
    return this.start(words, "closed", path.join(this.base, folder)).ended
  }

  async piped(input: string, ...words: readonly string[]): Promise<Ended> {
    const started = this.start(words, "open")
    started.child.stdin!.end(input)
    return started.ended
  }

  async json(...words: readonly string[]) {
    const { code, stdout } = await this.cadre(...words, "--json")
    return { code, result: JSON.parse(stdout) }
  }

  /** What the calls of a run, and of those below it, came to, as the log has it. */
  async results(id: string): Promise<readonly string[]> {
    const { stdout } = await this.cadre("log", id, "--json")
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "tool-end")
      .map(({ result }) => result.text)
  }

  remove(): void {
    for (const child of this.#children) child.kill("SIGKILL")
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 })
  }
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export class Started {
  readonly child: ChildProcess
  stdout = ""
  stderr = ""
  readonly ended: Promise<Ended>

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (this.stdout += text))
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (this.stderr += text))
    this.ended = new Promise((resolve) =>
      child.on("close", (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr })),
    )
  }

  /** Ctrl-C: the signal goes to the whole group. Only for a shell. */
  interrupt(): void {
    process.kill(-this.child.pid!, "SIGINT")
  }

  /** Waits until something is said on stderr. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.stderr)
      if (found) return found
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`It ended without saying ${pattern}:\n${this.stderr}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

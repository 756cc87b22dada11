import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const built = path.resolve(import.meta.dirname, "../..", "dist", "cli.mjs")

/** A home, a configuration, a workspace and an installed program of their own, below one folder. */
export class ProofWorld {
  readonly base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-proof-")))
  readonly work = path.join(this.base, "work")
  readonly program: string
  readonly version: string
  readonly #environment: NodeJS.ProcessEnv

  constructor(name: string, program: string, environment: NodeJS.ProcessEnv) {
    for (const folder of ["work/.git", "home", "config/agents", "program"])
      fs.mkdirSync(path.join(this.base, folder), { recursive: true })
    const prefix = path.join(this.base, "program")
    execFileSync("npm", ["install", "--prefix", prefix, "--no-fund", "--no-audit", "--silent", name], {
      stdio: ["ignore", "ignore", "inherit"],
    })
    this.program = path.join(prefix, "node_modules/.bin", program)
    this.version = JSON.parse(
      fs.readFileSync(path.join(prefix, "node_modules", name, "package.json"), "utf8"),
    ).version
    this.#environment = {
      PATH: process.env.PATH,
      TMPDIR: os.tmpdir(),
      HOME: path.join(this.base, "home"),
      CADRE_STATE_DIR: path.join(this.base, "state"),
      CADRE_CONFIG_DIR: path.join(this.base, "config"),
      ...environment,
    }
  }

  put(file: string, text: string): void {
    fs.writeFileSync(path.join(this.base, file), text)
  }

  start(...words: readonly string[]): ChildProcess {
    return spawn(process.execPath, [built, ...words], {
      cwd: this.work,
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
    })
  }

  /** The JSON output of a command, and its exit code. */
  async json(...words: readonly string[]) {
    const child = this.start(...words, "--json")
    let [stdout, stderr] = ["", ""]
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
    try {
      return { code, result: JSON.parse(stdout) }
    } catch {
      throw new Error(`cadre ${words.join(" ")} printed no JSON:\n${stdout}\n${stderr}`)
    }
  }

  remove(): void {
    fs.rmSync(this.base, { recursive: true, force: true, maxRetries: 5 })
  }
}

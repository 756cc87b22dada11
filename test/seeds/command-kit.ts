import fs from "node:fs"
import path from "node:path"
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from "../../src/faces/testing/model-server.ts"
import { CommandWorld } from "../run-command-kit.ts"

/** An example as a source design has it. */
export const seedText = (name: string): string =>
  fs.readFileSync(path.join(import.meta.dirname, "texts", name), "utf8")

/** The built command beside a local model server, which is its default model unless the configuration says otherwise. */
export class SeedWorld extends CommandWorld {
  readonly server: ModelServer

  static async open(script: ModelServerOptions["script"] = [{ text: "Done." }]): Promise<SeedWorld> {
    return new SeedWorld(await startModelServer({ script }))
  }

  private constructor(server: ModelServer) {
    super()
    this.server = server
    this.configure("")
  }

  configure(yaml: string): void {
    this.put(
      "config/config.yaml",
      `model: local:usual\nproviders: { local: { baseUrl: "${this.server.url}", strictTools: true } }\n${yaml}`,
    )
  }

  /** Runs an agent of the project, trusted for this run, and gives how it ended; or why it did not start. */
  async run(...words: readonly string[]): Promise<SeedRun> {
    const { code, stdout, stderr } = await this.cadre("run", ...words, "--trust", "--json")
    const { error, outcome, output, warnings } = JSON.parse(stdout)
    return { code, stderr, ...(error ? { error } : { outcome, output, warnings }) }
  }

  /** What the server was asked: the model, the messages and the tools of each request. */
  get asked(): readonly AskedRequest[] {
    return this.server.requests.map(({ body }) => body as unknown as AskedRequest)
  }

  async close(): Promise<void> {
    await this.server.close()
    this.remove()
  }
}

export interface SeedRun {
  readonly code: number | null
  readonly stderr: string
  readonly error?: { readonly code: string; readonly message: string }
  readonly outcome?: { readonly type: string; readonly reason?: string }
  readonly output?: string
  readonly warnings?: readonly string[]
}

export interface AskedRequest {
  readonly model: string
  readonly temperature?: number
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools?: readonly {
    readonly type: string
    readonly function: {
      readonly name: string
      readonly description: string
      readonly parameters: object
      readonly strict?: boolean
    }
  }[]
}

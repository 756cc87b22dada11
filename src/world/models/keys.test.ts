import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { JsonMap } from "../../ground/message.ts"
import { createKeyStore, type KeyPlaces } from "./keys.ts"
import { createProviderList } from "./provider.ts"
import { createSecrets } from "./secrets.ts"

let folder = ""
let home = ""
let workspace = ""
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-keys-")))
  home = path.join(folder, "home")
  workspace = path.join(folder, "workspace")
  for (const place of [home, workspace, path.join(folder, "user", "keys")])
    fs.mkdirSync(place, { recursive: true })
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const userFolder = () => path.join(folder, "user")
const usual = (id: string) => path.join(userFolder(), "keys", id)

function write(file: string, text: string, mode = 0o600): string {
  fs.writeFileSync(file, text, { mode })
  return file
}

async function found(
  id: string,
  places: Partial<KeyPlaces> = {},
  configured: JsonMap = {},
): Promise<unknown> {
  const environment = places.environment ?? {}
  const secrets = createSecrets()
  const keys = createKeyStore({ environment, home, workspace, userFolder: userFolder(), ...places }, secrets)
  const provider = createProviderList(configured, environment).find(id)!
  try {
    const key = await keys.find(provider)
    // From here on, every key that was found counts as a secret.
    if (key !== undefined) expect(secrets.redact(key.value)).toBe("[redacted]")
    return key
  } catch (error) {
    return String(error)
  }
}

describe("where a key is found", () => {
  test("variables come first, in their order, and a blank one is none", async () => {
    write(usual("google"), "from-the-file\n")
    const environment = {
      GEMINI_API_KEY: " ",
      GOOGLE_API_KEY: "second-key\n",
      GOOGLE_GENERATIVE_AI_API_KEY: "first-key",
    }
    expect(await found("gemini", { environment })).toEqual({
      value: "first-key",
      as: "key",
      from: { variable: "GOOGLE_GENERATIVE_AI_API_KEY" },
    })
  })

  test("a token is sent as one, where there is no key", async () => {
    const environment = { ANTHROPIC_AUTH_TOKEN: "a-token-here" }
    expect(await found("anthropic", { environment })).toEqual({
      value: "a-token-here",
      as: "token",
      from: { variable: "ANTHROPIC_AUTH_TOKEN" },
    })
    expect(
      await found("anthropic", { environment: { ...environment, ANTHROPIC_API_KEY: "a-key-here" } }),
    ).toEqual({
      value: "a-key-here",
      as: "key",
      from: { variable: "ANTHROPIC_API_KEY" },
    })
  })

  test("then the file that is named, then the usual one", async () => {
    const named = write(path.join(home, "named"), " named-key \n")
    write(usual("openai"), "usual-key")
    expect(await found("openai", {}, { openai: { keyFile: "~/named" } })).toEqual({
      value: "named-key",
      as: "key",
      from: { file: named },
    })
    expect(await found("openai")).toEqual({ value: "usual-key", as: "key", from: { file: usual("openai") } })
    expect(await found("groq")).toBeUndefined()
    expect(await found("openai", { userFolder: path.join(folder, "none") })).toBeUndefined()
  })

  test.runIf(process.platform !== "win32")("a file that others can read is said", async () => {
    const file = write(usual("openai"), "usual-key", 0o644)
    expect(await found("openai")).toMatchObject({
      warning: naming(`${file}`, "chmod", `${file}`),
    })
  })

  test.each<[string, (file: string) => void, string]>([
    ["is not there", () => undefined, "cannot be read: ENOENT"],
    ["is empty", (file) => write(file, " \n"), expect.stringMatching(/contain.*else/)],
    ["holds more", (file) => write(file, "KEY=abc\nOTHER=x"), expect.stringMatching(/contain.*else/)],
    [
      "leads into the workspace",
      (file) => fs.symlinkSync(write(path.join(workspace, "key"), "workspace-key"), file),
      expect.stringContaining("leak"),
    ],
  ])("a file that %s is an error", async (_, make, problem) => {
    const file = path.join(home, "named")
    make(file)
    const said = await found("openai", {}, { openai: { keyFile: file } })
    expect(said).toEqual(naming(`${file} of the provider openai `, problem))
    expect(said).not.toContain("workspace-key")
  })
})

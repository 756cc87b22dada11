import type { Json } from "../../ground/message.ts"
import { plainKey } from "../../ground/restricting.ts"
import type { Path } from "./document/yaml.ts"
import type { Problem } from "./problem.ts"

const names: ReadonlySet<string> = new Set(["apikey", "apitoken", "authtoken", "accesstoken", "secretkey"])

/** Whether a key that nobody reads holds what opens a provider. `$NAME` only says where that is. */
export const isSecret = (key: string, value: Json | undefined): boolean =>
  typeof value === "string" && value.trim() !== "" && !value.includes("$") && isSecretKey(key)

export const isSecretKey = (key: string): boolean => names.has(plainKey(key))

/** An agent is kept with the runs it started and shown to people, so a key must not be in it. */
export const secretAt = (path: Path): Problem => ({
  code: "secret-in-file",
  severity: "warning",
  message: `\`${path.join(".")}\` is not read: definitions are shown, shared and kept with runs. Put the key where the provider is configured, and change it if this file was ever shared.`,
  at: { type: "key", path },
})

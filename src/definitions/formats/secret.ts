import type { Json } from "../../ground/message.ts"
import { plainKey } from "../../ground/restricting.ts"
import type { KeyPath } from "./document/yaml.ts"
import type { Problem } from "./problem.ts"

const names: ReadonlySet<string> = new Set(["apikey", "apitoken", "authtoken", "accesstoken", "secretkey"])

/** True if the value of an unknown key is a secret of a provider. `$NAME` only refers to one. */
export const isSecret = (key: string, value: Json | undefined): boolean =>
  typeof value === "string" && value.trim() !== "" && !value.includes("$") && isSecretKey(key)

export const isSecretKey = (key: string): boolean => names.has(plainKey(key))

/** Reports a secret. Agents are kept with their runs and shown to people, so they must not contain one. */
export const secretProblem = (path: KeyPath): Problem => ({
  code: "secret-in-file",
  severity: "warning",
  message: `\`${path.join(".")}\` is a secret, and is not read: definitions are shown, shared and kept with runs. Put it where the provider is configured, and revoke it if this file was ever shared.`,
  at: { type: "key", path },
})

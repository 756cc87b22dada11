import type { Access } from "../../src/agent/tool.ts"
import { everyTableInstalled } from "../../src/world/shell/machine.ts"
import { findShellAccesses } from "../../src/world/shell/shell-accesses.ts"

const cwd = "/no/workspace"
const home = "/no/home"

export const judge = (command: string): Promise<readonly Access[]> =>
  findShellAccesses(command, { cwd, home, machine: everyTableInstalled })

/** The texts of the commands it would run. */
export const commandsOf = async (command: string): Promise<readonly string[]> =>
  (await judge(command)).flatMap((access) => (access.type === "command" ? [access.text] : []))

/** Its paths and hosts: `read /etc/passwd`, `write /x/**`, `host a.com`; `change /x` where that is what the command is for. */
export const touchedBy = async (command: string): Promise<readonly string[]> =>
  (await judge(command)).flatMap((access) => {
    if (access.type === "host") return [`host ${access.host}`]
    if (!("path" in access)) return []
    const type = "implied" in access ? "change" : access.type
    return [`${type} ${access.path}${access.below ? "/**" : ""}`]
  })

export const reasonsOf = async (command: string, type: "unclear" | "dangerous"): Promise<readonly string[]> =>
  (await judge(command)).flatMap((access) => (access.type === type ? [access.reason] : []))

export const isClear = async (command: string): Promise<boolean> =>
  (await judge(command)).every(({ type }) => type !== "unclear" && type !== "dangerous")

/** A deny rule on curl holds, or a person is asked. */
export async function curlIsCaught(command: string): Promise<boolean> {
  const accesses = await judge(command)
  return accesses.some(
    (access) => access.type === "unclear" || (access.type === "command" && /^curl( |$)/.test(access.text)),
  )
}

import type { OpenCall } from "../state/open-call.ts"
import { executeControlCall } from "./control.ts"
import type { Drive } from "./drive-view.ts"
import { spawn } from "./spawn.ts"
import { callTool } from "./tool-call.ts"

/** Starts a call that may run. */
export function startCall(drive: Drive, call: OpenCall): Promise<void> {
  if (call.spawns?.length) return spawn(drive, call)
  switch (call.kind) {
    case "delegation":
      return spawn(drive, call)
    case "control":
      return executeControlCall(drive, call)
    case "function":
    case "submit":
      return callTool(drive, call)
    case "approval":
    case "pause":
      return Promise.reject(new TypeError(`a call of kind ${call.kind} does nothing by itself`))
  }
}

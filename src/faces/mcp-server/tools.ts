import type { ServedTool } from "./served-tool.ts"
import { approveTool } from "./tools/approve.ts"
import { cancelTool } from "./tools/cancel.ts"
import { listAgentsTool } from "./tools/list-agents.ts"
import { reportTool } from "./tools/result.ts"
import { runAgentTool } from "./tools/run-agent.ts"
import { sendTool } from "./tools/send.ts"
import { startAgentTool } from "./tools/start-agent.ts"
import { statusTool } from "./tools/status.ts"
import { waitTool } from "./tools/wait.ts"

/** The tools of the server, in the order in which hosts show them. */
export const servedTools: readonly ServedTool[] = [
  listAgentsTool,
  runAgentTool,
  startAgentTool,
  waitTool,
  statusTool,
  reportTool,
  cancelTool,
  sendTool,
  approveTool,
]

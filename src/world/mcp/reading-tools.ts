import type { JsonMap } from "../../ground/message.ts"
import type { ServerListedTool } from "./read-tools.ts"
import type { ReadingMethod, ServerOffers } from "./reading-methods.ts"
import { hashTool } from "./tool-hash.ts"

/**
 * The tools that read a server's resources and prompts, where it declares them. A tool of the server itself keeps its
 * name, and ours is left out.
 */
export function createReadingTools(
  offers: ServerOffers,
  ownNames: ReadonlySet<string>,
): readonly ServerListedTool[] {
  return tools
    .filter(({ of, tool }) => offers[of] && !ownNames.has(tool.name))
    .map(({ tool, method }) => ({ ...tool, claims: {}, method, hash: hashTool({ ...tool, claims: {} }) }))
}

const cursor = { type: "string", description: "The `nextCursor` of the page before. Absent: the first page." }
const page: JsonMap = { type: "object", properties: { cursor }, additionalProperties: false }

const tools: readonly {
  readonly of: "resources" | "prompts"
  readonly method: ReadingMethod
  readonly tool: Pick<ServerListedTool, "name" | "description" | "input">
}[] = [
  {
    of: "resources",
    method: "resources/list",
    tool: {
      name: "list_resources",
      description: "List the resources of this server, page by page: their addresses, names and types.",
      input: page,
    },
  },
  {
    of: "resources",
    method: "resources/templates/list",
    tool: {
      name: "list_resource_templates",
      description: "List the templates of this server for addresses of resources, page by page.",
      input: page,
    },
  },
  {
    of: "resources",
    method: "resources/read",
    tool: {
      name: "read_resource",
      description: "Read a resource of this server by its address.",
      input: {
        type: "object",
        properties: { uri: { type: "string", minLength: 1, description: "The address of the resource." } },
        required: ["uri"],
        additionalProperties: false,
      },
    },
  },
  {
    of: "prompts",
    method: "prompts/list",
    tool: {
      name: "list_prompts",
      description: "List the prompts of this server, page by page, with their arguments.",
      input: page,
    },
  },
  {
    of: "prompts",
    method: "prompts/get",
    tool: {
      name: "get_prompt",
      description: "Get the text of a prompt of this server.",
      input: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1 },
          arguments: { type: "object", additionalProperties: { type: "string" } },
        },
        required: ["name"],
        additionalProperties: false,
      },
    },
  },
]

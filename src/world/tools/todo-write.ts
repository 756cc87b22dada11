import { defineTool, type Tool } from "../../agent/tool.ts"

interface TodoInput {
  readonly todos: readonly { readonly content: string; readonly status: Status }[]
}

type Status = "pending" | "in_progress" | "completed"

const prompt =
  "Keep a to-do list for work of several steps. Each call gives the whole list, which replaces the one before. Have one item in_progress at a time, and mark it completed as soon as it is done."

/** Keeps the list in its own result: the list is stored nowhere else. */
export function createTodoWriteTool(): Tool {
  return defineTool<TodoInput>({
    name: "TodoWrite",
    description: prompt,
    effect: "read",
    input: {
      type: "object",
      properties: {
        todos: {
          type: "array",
          maxItems: 100,
          items: {
            type: "object",
            properties: {
              content: { type: "string", minLength: 1, maxLength: 1000 },
              status: { type: "string", enum: ["pending", "in_progress", "completed"] },
            },
            required: ["content", "status"],
          },
        },
      },
      required: ["todos"],
      additionalProperties: false,
    },
    accesses: () => [],
    execute: ({ todos }) =>
      todos.length === 0
        ? "The list is empty."
        : todos.map(({ content, status }) => `${marks[status]} ${content.replaceAll("\n", " ")}`).join("\n"),
  })
}

const marks: Readonly<Record<Status, string>> = { pending: "[ ]", in_progress: "[>]", completed: "[x]" }

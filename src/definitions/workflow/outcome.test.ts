import { expect, test } from "vitest"
import type { CallResult } from "../../run/log/event.ts"
import { readCallOutcome } from "./outcome.ts"

test.each<[CallResult["status"], string, "success" | "failure" | undefined]>([
  ["ok", "done", "success"],
  ["ok", "", "success"],
  ["ok", '{"success": true}', "success"],
  ["ok", '{"success": false}', "failure"],
  ["ok", '{"error": "not found"}', "failure"],
  ["ok", '{"error": null}', "success"],
  ["ok", '{"error": ""}', "success"],
  ["ok", '{"errors": 3}', "success"],
  ["ok", '{"result": {"success": false}}', "failure"],
  ["ok", '{"result": "{\\"error\\": \\"no\\"}"}', "failure"],
  ["ok", '{"result": {"result": {"result": {"success": false}}}}', "failure"],
  ["ok", '{"result": {"result": {"result": {"result": {"success": false}}}}}', "success"],
  ["ok", ' {"success": false}', "failure"],
  ["ok", '["success", false]', "success"],
  ["ok", '{"success": fal', "success"],
  ["ok", "success: false", "success"],
  ["error", "it broke", "failure"],
  ["error", '{"success": true}', "failure"],
  ["unknown", "nobody knows", undefined],
  ["denied", "no", undefined],
  ["skipped", "not run", undefined],
])("%s with %s: %s", (status, text, expected) => {
  expect(readCallOutcome({ status, text })).toBe(expected)
})

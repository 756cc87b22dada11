import type { Filter } from "../bind-arguments.ts"
import { tests } from "../tests.ts"
import { conversionFilters } from "./conversion.ts"
import { dictFilters } from "./dict.ts"
import { numberFilters } from "./number.ts"
import { orderFilters } from "./order.ts"
import { createSelectionFilters } from "./selection.ts"
import { sequenceFilters } from "./sequence.ts"
import { textFilters } from "./text.ts"

/** The filters that can follow `|`, as in Jinja. */
export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...conversionFilters,
  ...dictFilters,
  ...numberFilters,
  ...orderFilters,
  ...sequenceFilters,
  ...textFilters,
  ...createSelectionFilters({
    filterNamed: (name) => filters.get(name),
    testNamed: (name) => tests.get(name),
  }),
])

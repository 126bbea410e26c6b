import { PARTS } from '#shared/email/content.ts';
import { MultiSelect } from '#web/components/multi-select.tsx';
import { Select } from '#web/components/select.tsx';
import type { TableOf } from '#web/components/use-table-view.ts';
import { AutomationFilter } from '#web/entities/email/automation-filter.tsx';
import { useAutomationsForAssets } from '#web/entities/email-asset/email-asset.ts';
import { ids, oneOf, severalOf, text } from '#web/lib/filters.ts';

export const ASSETS_VIEW = {
  filters: {
    search: text,
    types: severalOf(PARTS),
    status: oneOf(['active', 'inactive']),
    automations: ids,
  },
};

const TYPES = Object.entries(PARTS).map(([value, label]) => ({ value, label }));

/** The filters of the assets, except the search. */
export function AssetFilters({ view: { filters }, filter }: TableOf<typeof ASSETS_VIEW>) {
  const { data: automations } = useAutomationsForAssets();
  return (
    <>
      <MultiSelect
        label="Types"
        options={TYPES}
        chosen={filters.types}
        onChoose={chosen => filter({ types: chosen })}
        none="All"
        width="220px"
      />
      <Select
        width={{ base: 'full', sm: 'auto' }}
        aria-label="Status"
        value={filters.status ?? ''}
        onChange={({ target }) => filter({ status: target.value })}
      >
        <option value="">All statuses</option>
        <option value="active">Active</option>
        <option value="inactive">Inactive</option>
      </Select>
      <AutomationFilter
        automations={automations}
        chosen={filters.automations}
        onChoose={chosen => filter({ automations: chosen })}
      />
    </>
  );
}

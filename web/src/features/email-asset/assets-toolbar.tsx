import { Flex } from '@chakra-ui/react';
import type { Ref } from 'react';
import { PARTS } from '../../../../shared/email/content.ts';
import { MultiSelect } from '../../components/multi-select.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Select } from '../../components/select.tsx';
import { useAutomationsForAssets } from '../../entities/email-asset/email-asset.ts';
import { automationsOf, MOST_FILTERED } from '../../lib/content-filters.ts';
import type { TableView } from '../../lib/table-view.ts';
import { assetStatusOf, typesIn } from './assets-view.ts';

type Props = {
  view: TableView;
  searchField: Ref<HTMLInputElement>;
  onChange: (filters: Record<string, string>) => void;
};

const TYPES = Object.entries(PARTS).map(([value, label]) => ({ value, label }));

/** Search and filters of the assets. */
export function AssetsToolbar({ view: { filters }, searchField, onChange }: Props) {
  const { data: automations } = useAutomationsForAssets();
  return (
    <Flex wrap="wrap" align="flex-start" gap="3" mb="3" fontSize="sm">
      <SearchField
        ref={searchField}
        label="Search by name or content"
        value={filters.search ?? ''}
        onSearch={search => onChange({ search })}
      />
      <MultiSelect
        label="Types"
        options={TYPES}
        chosen={typesIn(filters)}
        onChoose={chosen => onChange({ types: chosen.join(',') })}
        none="All"
        empty="There are no types."
        width="220px"
      />
      <Select
        width="auto"
        aria-label="Status"
        value={assetStatusOf(filters) ?? ''}
        onChange={({ target }) => onChange({ status: target.value })}
      >
        <option value="">Active and inactive</option>
        <option value="active">Active</option>
        <option value="inactive">Inactive</option>
      </Select>
      <MultiSelect
        label="Automations"
        options={automations?.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={automationsOf(filters)}
        onChoose={chosen => onChange({ automations: chosen.join(',') })}
        none="All"
        max={MOST_FILTERED}
        empty="There are no automations yet."
        width="260px"
      />
    </Flex>
  );
}

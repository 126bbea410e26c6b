import { Flex } from '@chakra-ui/react';
import type { Ref } from 'react';
import { LANGUAGES, type Language } from '../../../../shared/email/language.ts';
import { MultiSelect } from '../../components/multi-select.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { useLinkableAutomations } from '../../entities/email-template/email-template.ts';
import { automationsOf, MOST_FILTERED } from '../../lib/content-filters.ts';
import type { TableView } from '../../lib/table-view.ts';
import { languagesOf, languagesParameter } from './templates-view.ts';

type Props = {
  view: TableView;
  /** Of all templates; undefined while they are loading. */
  languages: Language[] | undefined;
  searchField: Ref<HTMLInputElement>;
  onChange: (filters: Record<string, string>) => void;
};

/** Search and filters of the templates. */
export function TemplatesToolbar({ view: { filters }, languages, searchField, onChange }: Props) {
  const { data: automations } = useLinkableAutomations();
  return (
    <Flex wrap="wrap" align="flex-start" gap="3" mb="3" fontSize="sm">
      <SearchField
        ref={searchField}
        label="Search by name or subject"
        value={filters.search ?? ''}
        onSearch={search => onChange({ search })}
      />
      <MultiSelect
        label="Languages"
        options={languages?.map(code => ({ value: code, label: LANGUAGES[code], badge: code.toUpperCase() }))}
        chosen={languagesOf(filters) ?? languages ?? []}
        onChoose={chosen => onChange({ languages: languagesParameter(chosen, languages ?? []) })}
        none="None"
        empty="There are no templates yet."
      />
      <MultiSelect
        label="Automations"
        options={automations?.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={automationsOf(filters)}
        onChoose={chosen => onChange({ automations: chosen.join(',') })}
        none="All"
        max={MOST_FILTERED}
        empty="There are no automations yet."
      />
    </Flex>
  );
}

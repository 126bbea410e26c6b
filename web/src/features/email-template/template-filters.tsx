import { LANGUAGES, type Language } from '#shared/email/language.ts';
import { MultiSelect } from '#web/components/multi-select.tsx';
import type { TableOf } from '#web/components/use-table-view.ts';
import { AutomationFilter } from '#web/entities/email/automation-filter.tsx';
import { useLinkableAutomations } from '#web/entities/email-template/email-template.ts';
import { ids, someOf, text } from '#web/lib/filters.ts';

export const TEMPLATES_VIEW = { filters: { search: text, languages: someOf(LANGUAGES), automations: ids } };

type Props = TableOf<typeof TEMPLATES_VIEW> & {
  /** The languages of all templates; undefined while they are loading. */
  languages: Language[] | undefined;
};

/** The filters of the templates, except the search. */
export function TemplateFilters({ view: { filters }, filter, languages }: Props) {
  const { data: automations } = useLinkableAutomations();
  const chooseLanguages = (chosen: string[]) =>
    filter({ languages: languages?.every(code => chosen.includes(code)) ? undefined : chosen });
  return (
    <>
      <MultiSelect
        label="Languages"
        options={languages?.map(code => ({ value: code, label: LANGUAGES[code], badge: code.toUpperCase() }))}
        chosen={filters.languages ?? languages ?? []}
        onChoose={chooseLanguages}
        all="All"
        none="None"
        width="220px"
      />
      <AutomationFilter
        automations={automations}
        chosen={filters.automations}
        onChoose={chosen => filter({ automations: chosen })}
      />
    </>
  );
}

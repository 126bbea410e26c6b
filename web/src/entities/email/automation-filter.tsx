import type { AutomationOption } from '#shared/automation-link.ts';
import { MultiSelect } from '#web/components/multi-select.tsx';
import { MOST_IDS } from '#web/lib/filters.ts';

type Props = {
  automations: AutomationOption[] | undefined;
  chosen: readonly string[];
  onChoose: (chosen: string[]) => void;
};

/** Filters content by the automations that use it. */
export const AutomationFilter = ({ automations, ...choice }: Props) => (
  <MultiSelect
    {...choice}
    label="Automations"
    options={automations?.map(({ id, name }) => ({ value: id, label: name }))}
    none="All"
    max={MOST_IDS}
    width="260px"
  />
);

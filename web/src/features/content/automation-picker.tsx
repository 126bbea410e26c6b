import type { ComponentProps } from 'react';
import { type AutomationOption, MOST_LINKED } from '#shared/automation-link.ts';
import { CheckboxList } from '#web/components/checkbox-list.tsx';

type Props = Omit<ComponentProps<typeof CheckboxList>, 'options' | 'noun' | 'failure'> & {
  /** Undefined while they are loading. */
  options: readonly AutomationOption[] | undefined;
  most?: number;
};

/** Checkboxes of automations. */
export const AutomationPicker = ({ error, most = MOST_LINKED, ...rest }: Props) => (
  <CheckboxList
    {...rest}
    error={rest.value.length > most ? `At most ${most} automations can be linked` : error}
    noun="automation"
    failure="Failed to load automations. Please try again."
  />
);

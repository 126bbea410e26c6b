import type { ComponentProps } from 'react';
import { type AutomationOption, MOST_LINKED } from '../../../../shared/automation-link.ts';
import { CheckboxList } from '../../components/checkbox-list.tsx';

type Props = Omit<ComponentProps<typeof CheckboxList>, 'options' | 'noun' | 'failure'> & {
  /** Undefined while they are loading. */
  options: readonly AutomationOption[] | undefined;
};

/** Checkboxes of automations. */
export const AutomationPicker = ({ error, ...rest }: Props) => (
  <CheckboxList
    {...rest}
    error={rest.value.length > MOST_LINKED ? `At most ${MOST_LINKED} automations can be linked` : error}
    noun="automation"
    failure="Failed to load automations. Please try again."
  />
);

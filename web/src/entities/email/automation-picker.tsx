import type { ComponentProps } from 'react';
import { type AutomationOption, MOST_LINKED } from '../../../../shared/automation-link.ts';
import { CheckboxList } from '../../components/checkbox-list.tsx';
import { formatNumber } from '../../lib/format.ts';

type Props = Omit<
  ComponentProps<typeof CheckboxList>,
  'options' | 'noun' | 'selected' | 'none' | 'notFound' | 'failure'
> & {
  /** Undefined while they are loading. */
  options: readonly AutomationOption[] | undefined;
};

/** Checkboxes of automations. */
export const AutomationPicker = ({ error, ...rest }: Props) => (
  <CheckboxList
    {...rest}
    error={rest.value.length > MOST_LINKED ? `At most ${MOST_LINKED} automations can be linked` : error}
    noun="automation"
    selected={count => `${formatNumber(count)} automation(s) selected`}
    none="No automations available."
    notFound={filter => `No automation has “${filter}” in its name.`}
    failure="Failed to load automations. Please try again."
  />
);

import { Box, chakra, Flex, Input, Skeleton, VisuallyHidden } from '@chakra-ui/react';
import { type KeyboardEvent, useState } from 'react';
import { type AutomationOption, MOST_LINKED } from '../../../../shared/automation-link.ts';
import { formatNumber } from '../../lib/format.ts';
import { Button } from '../button.tsx';
import { Failure } from '../failure.tsx';

const FILTERED_FROM = 12;

type Props = {
  /** Undefined while they are loading. */
  options: readonly AutomationOption[] | undefined;
  value: readonly string[];
  onChange: (ids: string[]) => void;
  label: string;
  /** A heading above says it already. */
  hasHeading?: boolean;
  error?: string | undefined;
  disabled?: boolean;
  /** Why they could not be loaded. */
  problem?: unknown;
  onRetry?: () => unknown;
};

const Frame = chakra('fieldset', { base: { minWidth: '0', fontSize: 'sm' } });
const Label = chakra('span', { base: { display: 'block', mb: '1', fontWeight: 'medium' } });
// The browser's own checkboxes: there may be hundreds, and each is redrawn with every choice.
const Choice = chakra('label', {
  base: {
    display: 'flex',
    gap: '2',
    minWidth: '0',
    py: '1',
    lineHeight: '20px',
    overflowWrap: 'anywhere',
    cursor: 'pointer',
    '@media (pointer: coarse)': { py: '3' },
    '& > input': { flexShrink: 0, width: '4', height: '4', mt: '0.5', accentColor: 'var(--action)' },
  },
});

// As high before they are loaded, so that nothing below moves.
const Options = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(200px, 100%), 1fr))',
    alignContent: 'start',
    columnGap: '4',
    height: '160px',
    overflowY: 'auto',
    resize: 'vertical',
    px: '3',
    py: '2',
    borderWidth: '1px',
    borderRadius: 'md',
    bg: 'bg.panel',
  },
});

const withoutAny = (options: readonly AutomationOption[], filter: string) =>
  options.length === 0 ? 'No automations available.' : `No automation has “${filter}” in its name.`;

/** Checkboxes of automations. */
export function AutomationPicker(props: Props) {
  const {
    options,
    value,
    onChange,
    label,
    hasHeading = false,
    disabled = false,
    problem,
    onRetry = () => undefined,
  } = props;
  const [filter, setFilter] = useState('');
  const isTooMany = value.length > MOST_LINKED;
  const error = isTooMany ? `At most ${MOST_LINKED} automations can be linked` : props.error;
  const chosen = new Set(value);
  const wanted = filter.trim().toLowerCase();
  const shown = options?.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? [];

  const choose = (ids: string[], isChosen: boolean) => {
    const named = new Set(ids);
    onChange([...value.filter(id => !named.has(id)), ...(isChosen ? ids : [])]);
  };

  return (
    <Frame disabled={disabled}>
      <legend>{hasHeading ? <VisuallyHidden>{label}</VisuallyHidden> : <Label>{label}</Label>}</legend>
      {problem && !options ? (
        <Failure
          problem={problem}
          message="Failed to load automations. Please try again."
          onRetry={() => void onRetry()}
        />
      ) : (
        <>
          <Flex wrap="wrap" align="center" gap="2" mb="2">
            <Button
              disabled={disabled || shown.length === 0}
              onClick={() =>
                choose(
                  shown.map(({ id }) => id),
                  true,
                )
              }
            >
              Select All
            </Button>
            <Button disabled={disabled || value.length === 0} onClick={() => onChange([])}>
              Deselect All
            </Button>
            {options && options.length >= FILTERED_FROM && (
              <Input
                type="search"
                aria-label="Search automations"
                placeholder="Search automations"
                autoComplete="off"
                width={{ base: 'full', sm: '200px' }}
                value={filter}
                onChange={event => setFilter(event.target.value)}
                onKeyDown={withoutSubmit}
              />
            )}
          </Flex>
          <Options aria-busy={!options}>
            {shown.map(({ id, name }) => (
              <Choice key={id}>
                <input
                  type="checkbox"
                  checked={chosen.has(id)}
                  onChange={({ target }) => choose([id], target.checked)}
                />
                <span>{name}</span>
              </Choice>
            ))}
            {shown.length === 0 && (
              <Box gridColumn="1 / -1" py="1" color="fg.muted">
                {options ? withoutAny(options, filter) : <Skeleton />}
              </Box>
            )}
          </Options>
        </>
      )}
      <Flex wrap="wrap" columnGap="3" mt="1" minHeight="5" lineHeight="20px">
        {options && options.length > 0 && (
          <Box color="fg.muted" fontSize="xs" aria-live="polite">
            {formatNumber(value.length)} automation(s) selected
          </Box>
        )}
        <Box role="alert" color="fg.error">
          {error}
        </Box>
      </Flex>
    </Frame>
  );
}

/** Enter in the search would otherwise send the form that the picker is part of. */
function withoutSubmit(event: KeyboardEvent) {
  if (event.key === 'Enter') event.preventDefault();
}

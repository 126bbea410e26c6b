import { Box, Flex, Input, Popover, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { CheckboxLabel } from './checkbox-label.tsx';
import { LandmarkPortal, POPOVER_PANEL } from './landmark-portal.tsx';

export type Choice = { value: string; label: string; badge?: string };

export type MultiSelectProps = {
  label: string;
  /** Undefined while they are loading. */
  options: readonly Choice[] | undefined;
  chosen: readonly string[];
  onChoose: (chosen: string[]) => void;
  /** Shown while nothing is chosen, and instead of the list if all options are. */
  none: string;
  all?: string;
  /** Shown instead of the chosen options. */
  summary?: string;
  /** The most options that can be chosen. */
  max?: number;
  width?: string;
};

const FILTERED_FROM = 12;

const PANEL = {
  ...POPOVER_PANEL,
  flexDirection: 'column',
  width: 'min(360px, 100vw - 16px)',
  maxHeight: 'min(var(--available-height), 60vh)',
  overflowY: 'visible',
  p: '0',
  _open: { display: 'flex', animation: 'appear 120ms' },
} as const;

type Props = MultiSelectProps & {
  /** The id of the button that opens the list. */
  trigger: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called if the code of the list could not be loaded. */
  onClose: () => void;
};

export default function MultiSelectContent(props: Props) {
  const { label, options = [], chosen, onChoose, max, trigger, open, onOpenChange } = props;
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const shown = options.filter(option => option.label.toLowerCase().includes(wanted));
  const isFull = max !== undefined && chosen.length >= max;
  const all = [...new Set([...chosen, ...shown.map(({ value }) => value)])];

  return (
    <Popover.Root
      open={open}
      ids={{ trigger }}
      onOpenChange={details => onOpenChange(details.open)}
      positioning={{ placement: 'bottom-start', gutter: 4, strategy: 'fixed' }}
    >
      <LandmarkPortal of={document.getElementById(trigger)}>
        <Popover.Positioner>
          <Popover.Content aria-label={label} {...PANEL}>
            <Flex wrap="wrap" gap="2" p="2" borderBottomWidth="1px">
              {options.length >= FILTERED_FROM && (
                <Input
                  type="search"
                  aria-label={`Search ${label.toLowerCase()}`}
                  placeholder={`Search ${label.toLowerCase()}`}
                  autoComplete="off"
                  value={filter}
                  onChange={event => setFilter(event.target.value)}
                />
              )}
              <Button
                variant="ghost"
                disabled={all.length === chosen.length || (max !== undefined && all.length > max)}
                onClick={() => onChoose(all)}
              >
                Select All
              </Button>
              <Button variant="ghost" disabled={chosen.length === 0} onClick={() => onChoose([])}>
                Deselect All
              </Button>
            </Flex>
            <Box as="fieldset" minHeight="0" overflowY="auto" p="1" fontSize="sm" aria-label={label}>
              {shown.map(option => {
                const isChosen = chosen.includes(option.value);
                return (
                  <CheckboxLabel
                    key={option.value}
                    minHeight="control"
                    px="2.5"
                    py="1.5"
                    borderRadius="md"
                    _hover={{ bg: 'bg.subtle' }}
                  >
                    <input
                      type="checkbox"
                      checked={isChosen}
                      disabled={isFull && !isChosen}
                      onChange={({ target }) =>
                        onChoose(
                          target.checked
                            ? [...chosen, option.value]
                            : chosen.filter(value => value !== option.value),
                        )
                      }
                    />
                    <span>{option.label}</span>
                  </CheckboxLabel>
                );
              })}
              {shown.length === 0 && (
                <Text px="2.5" py="1.5" color="fg.muted">
                  {options.length === 0
                    ? `No ${label.toLowerCase()} available.`
                    : `Nothing matches “${filter.trim()}”.`}
                </Text>
              )}
            </Box>
            {isFull && (
              <Text px="3" py="2" borderTopWidth="1px" fontSize="xs" color="fg.muted">
                At most {max} can be chosen.
              </Text>
            )}
          </Popover.Content>
        </Popover.Positioner>
      </LandmarkPortal>
    </Popover.Root>
  );
}

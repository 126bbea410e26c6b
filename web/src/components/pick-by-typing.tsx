import { Combobox, chakra, createListCollection, Flex, Text } from '@chakra-ui/react';
import { Check, ChevronDown, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { Button } from './button.tsx';
import { withoutSubmit } from './field.tsx';
import { LandmarkPortal, POPOVER_PANEL } from './landmark-portal.tsx';
import { type Option, OptionText } from './option-text.tsx';

type Props = {
  options: readonly Option[];
  chosen: readonly Option[];
  onChoose: (id: string, isChosen: boolean) => void;
  noun: string;
  disabled: boolean;
  isInvalid: boolean;
  /** The server finds the options. */
  onSearch?: ((text: string) => void) | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
};

const MOST_LISTED = 50;
const MOST_CHIPS = 10;
const DEBOUNCE = 200;

/** What is chosen, each with a button that removes it, and an input that lists what its text finds. */
export default function PickByTyping(props: Props) {
  const { options, chosen, onChoose, noun, disabled, isInvalid, onSearch, ref } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState<string | null>(null);
  const [isWhole, setWhole] = useState(false);
  const wanted = typed.trim().toLowerCase();
  const isFound = ({ name, about = '' }: Option) => `${name} ${about}`.toLowerCase().includes(wanted);
  const found = onSearch ? options : options.filter(isFound);
  const listed = found.slice(0, MOST_LISTED);
  const value = chosen.map(({ id }) => id);
  const chips = isWhole ? chosen : chosen.slice(0, MOST_CHIPS);

  const search = useEffectEvent(() => onSearch?.(typed.trim()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed is searched
  useEffect(() => {
    const timer = setTimeout(search, DEBOUNCE);
    return () => clearTimeout(timer);
  }, [typed]);

  function remove(id: string) {
    onChoose(id, false);
    frame.current?.querySelector('input')?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    withoutSubmit(event);
    const last = chosen.at(-1);
    const isInEmptyInput = event.target instanceof HTMLInputElement && typed === '';
    if (event.key === 'Backspace' && isInEmptyInput && last && !last.disabled) remove(last.id);
  }

  const label = `Search ${noun}s`;
  return (
    <Combobox.Root
      multiple
      openOnClick
      disabled={disabled}
      invalid={isInvalid}
      collection={createListCollection({
        items: listed,
        itemToValue: ({ id }) => id,
        itemToString: ({ name }) => name,
        isItemDisabled: ({ disabled: isLocked }) => Boolean(isLocked),
      })}
      value={value}
      inputValue={typed}
      // The first one that was found: Enter chooses it.
      highlightedValue={
        listed.some(({ id }) => id === active) ? active : wanted ? (listed[0]?.id ?? null) : null
      }
      onHighlightChange={({ highlightedValue }) => setActive(highlightedValue)}
      selectionBehavior="clear"
      onInputValueChange={({ inputValue }) => setTyped(inputValue)}
      onSelect={({ itemValue }) => onChoose(itemValue, !value.includes(itemValue))}
      // The list stays open while something chosen is removed.
      onInteractOutside={event => {
        if (frame.current?.contains(event.detail.target as Node)) event.preventDefault();
      }}
      positioning={{ placement: 'bottom-start', gutter: 4, strategy: 'fixed', sameWidth: true }}
    >
      <Combobox.Control asChild>
        <Flex
          ref={frame}
          onKeyDown={onKeyDown}
          wrap="wrap"
          align="center"
          gap="1"
          minHeight="control"
          p="3px"
          borderWidth="1px"
          borderColor={isInvalid ? 'border.error' : 'border.emphasized'}
          borderRadius="md"
          bg="bg.panel"
          css={{ '&:has(input:focus-visible)': { outline: '2px solid var(--focus)' } }}
        >
          {chips.map(({ id, name, disabled: isLocked }) => (
            <Chip
              key={id}
              type="button"
              disabled={disabled || isLocked}
              aria-label={`Remove ${name}`}
              onClick={() => remove(id)}
            >
              <span>{name}</span>
              <X aria-hidden />
            </Chip>
          ))}
          {chosen.length > MOST_CHIPS && (
            <Button variant="ghost" height="6" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Fewer' : `+ ${formatNumber(chosen.length - MOST_CHIPS)} more`}
            </Button>
          )}
          <Flex flex="1 1 140px" align="center" gap="1" pe="1" _icon={{ width: '3.5', color: 'fg.muted' }}>
            <Combobox.Input
              ref={ref}
              aria-label={label}
              placeholder={label}
              height="6"
              px="1.5"
              fontSize={{ base: 'md', md: 'sm' }}
              borderBottomWidth="0"
              bg="transparent"
            />
            <ChevronDown aria-hidden />
          </Flex>
        </Flex>
      </Combobox.Control>
      <LandmarkPortal of={frame.current}>
        <Combobox.Positioner>
          <Combobox.Content
            {...POPOVER_PANEL}
            p="1"
            minHeight="0"
            maxHeight="min(var(--available-height), 320px)"
            aria-label={`${noun}s`}
          >
            {listed.map(option => (
              <Combobox.Item key={option.id} item={option} _highlighted={{ bg: 'bg.subtle', color: 'fg' }}>
                <Flex flexShrink="0" width="4" pt="0.5" _icon={{ width: '4', height: '4' }}>
                  {value.includes(option.id) && <Check aria-hidden />}
                </Flex>
                <OptionText {...option} below />
              </Combobox.Item>
            ))}
            {found.length === 0 && (
              <Combobox.Empty>
                No {noun} matches “{typed.trim()}”.
              </Combobox.Empty>
            )}
            {found.length > MOST_LISTED && (
              <Text px="2.5" py="1.5" color="fg.muted">
                The first {MOST_LISTED} of {formatNumber(found.length)}: type to find the others.
              </Text>
            )}
          </Combobox.Content>
        </Combobox.Positioner>
      </LandmarkPortal>
    </Combobox.Root>
  );
}

const Chip = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    minWidth: '0',
    maxWidth: 'full',
    minHeight: '6',
    '@media (pointer: coarse)': { minHeight: 'control' },
    px: '1.5',
    borderRadius: 'sm',
    borderWidth: '1px',
    bg: 'bg.subtle',
    fontSize: 'xs',
    textAlign: 'start',
    overflowWrap: 'anywhere',
    _hover: { borderColor: 'border.emphasized' },
    _disabled: { opacity: 0.7 },
    _icon: { flexShrink: 0, width: '3', height: '3' },
  },
});

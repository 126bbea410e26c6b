import { Box, chakra, Flex, Input, Skeleton, VisuallyHidden } from '@chakra-ui/react';
import { type ReactNode, type Ref, useId, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { Button } from './button.tsx';
import { CheckboxLabel } from './checkbox-label.tsx';
import { Failure } from './failure.tsx';
import { withoutSubmit } from './field.tsx';
import { SelectedBadges } from './multi-select.tsx';

const FILTERED_FROM = 12;

type Option = {
  id: string;
  name: string;
  /** Shown behind the name, and searched as well. */
  about?: string;
};

type Props = {
  /** Undefined while they are loading. */
  options: readonly Option[] | undefined;
  value: readonly string[];
  onChange: (ids: string[]) => void;
  label: string;
  /** The name of the list is in a heading above. */
  hasHeading?: boolean;
  noun: string;
  /** Shown after the text that there are no options. */
  create?: ReactNode;
  error?: string | undefined;
  /** The first checkbox, which gets the focus if there is an error. */
  ref?: Ref<HTMLInputElement>;
  disabled?: boolean;
  problem?: unknown;
  failure: string;
  onRetry?: () => unknown;
};

const Frame = chakra('fieldset', { base: { minWidth: '0', fontSize: 'sm' } });
const Label = chakra('span', { base: { display: 'block', mb: '1', fontWeight: 'medium' } });
const About = chakra('span', { base: { color: 'fg.muted' } });

export function CheckboxList(props: Props) {
  const { options, value, onChange, label, noun, create, failure, problem, error } = props;
  const { hasHeading = false, disabled = false, onRetry = () => undefined } = props;
  const errorId = useId();
  const [filter, setFilter] = useState('');
  const chosen = new Set(value);
  const wanted = filter.trim().toLowerCase();
  const shown =
    options?.filter(({ name, about = '' }) => `${name} ${about}`.toLowerCase().includes(wanted)) ?? [];

  const choose = (ids: string[], isChosen: boolean) => {
    const named = new Set(ids);
    onChange([...value.filter(id => !named.has(id)), ...(isChosen ? ids : [])]);
  };

  return (
    <Frame disabled={disabled} aria-describedby={error && errorId}>
      <legend>{hasHeading ? <VisuallyHidden>{label}</VisuallyHidden> : <Label>{label}</Label>}</legend>
      {problem && !options ? (
        <Failure problem={problem} message={failure} onRetry={() => void onRetry()} />
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
                aria-label={`Search ${noun}s`}
                placeholder={`Search ${noun}s`}
                autoComplete="off"
                width={{ base: 'full', sm: '200px' }}
                value={filter}
                onChange={event => setFilter(event.target.value)}
                onKeyDown={withoutSubmit}
              />
            )}
          </Flex>
          <CheckboxOptions
            aria-busy={!options}
            display="grid"
            gridTemplateColumns="repeat(auto-fill, minmax(min(200px, 100%), 1fr))"
            alignContent="start"
            columnGap="4"
            height="160px"
          >
            {shown.map(({ id, name, about }, index) => (
              <CheckboxLabel key={id}>
                <input
                  ref={index === 0 ? props.ref : undefined}
                  type="checkbox"
                  checked={chosen.has(id)}
                  onChange={({ target }) => choose([id], target.checked)}
                />
                <span>
                  {name}
                  {about && <About> {about}</About>}
                </span>
              </CheckboxLabel>
            ))}
            {shown.length === 0 && (
              <Box gridColumn="1 / -1" py="1" color="fg.muted">
                {!options ? (
                  <Skeleton />
                ) : options.length === 0 ? (
                  <>
                    No {noun}s available. {create}
                  </>
                ) : (
                  `No ${noun} matches “${filter.trim()}”.`
                )}
              </Box>
            )}
          </CheckboxOptions>
        </>
      )}
      <Flex wrap="wrap" columnGap="2" rowGap="1" mt="1" pb="1" minHeight="6" lineHeight="20px" fontSize="xs">
        {options && options.length > 0 && (
          <Box color="fg.muted" aria-live="polite">
            {formatNumber(value.length)} {noun}(s) selected
          </Box>
        )}
        <SelectedBadges options={options?.filter(({ id }) => chosen.has(id)) ?? []} />
        <Box id={errorId} role="alert" color="fg.error" fontSize="sm">
          {error}
        </Box>
      </Flex>
    </Frame>
  );
}

/** It has the same height while the checkboxes are loading, so that nothing below it moves. */
export const CheckboxOptions = chakra('div', {
  base: {
    overflowY: 'auto',
    resize: 'vertical',
    px: '3',
    py: '2',
    borderWidth: '1px',
    borderRadius: 'md',
    bg: 'bg.panel',
    fontSize: 'sm',
  },
});

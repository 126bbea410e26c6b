import { Box, chakra, Flex, Grid, Skeleton, VisuallyHidden } from '@chakra-ui/react';
import { type ReactNode, type Ref, useId } from 'react';
import { formatNumber } from '../lib/format.ts';
import { Button } from './button.tsx';
import { CheckboxLabel } from './checkbox-label.tsx';
import { Failure } from './failure.tsx';
import { onDemand } from './on-demand.tsx';
import { type Option, OptionText } from './option-text.tsx';

/** More options than these are found by typing. */
export const FEW = 10;

const PickByTyping = onDemand(() => import('./pick-by-typing.tsx'), <Skeleton height="control" />);

type Props = {
  /** Undefined while they are loading. */
  options: readonly Option[] | undefined;
  value: readonly string[];
  onChange: (ids: string[]) => void;
  label: string;
  /** The name of the list is in a heading above. */
  hasHeading?: boolean;
  noun: string;
  /** What is chosen, if not all of it is among the options. These are found by the server then. */
  chosen?: readonly Option[];
  onSearch?: ((text: string) => void) | undefined;
  isMany?: boolean | undefined;
  /** Without buttons for all, and without a count. */
  plain?: boolean;
  /** Shown after the text that there are no options. */
  create?: ReactNode;
  error?: string | undefined;
  /** The first checkbox or the input, which gets the focus if there is an error. */
  ref?: Ref<HTMLInputElement>;
  disabled?: boolean;
  problem?: unknown;
  failure: string;
  onRetry?: () => unknown;
};

const Frame = chakra('fieldset', { base: { minWidth: '0', fontSize: 'sm' } });
const Label = chakra('span', { base: { display: 'block', mb: '1', fontWeight: 'medium' } });

/** Some of the options: by checkboxes, or where there are many, by typing their names. */
export function PickMany(props: Props) {
  const { options, value, onChange, label, noun, create, failure, problem, error, plain, ref } = props;
  const { hasHeading = false, disabled = false, onRetry = () => undefined, onSearch } = props;
  const errorId = useId();
  const isMany = props.isMany ?? (options && options.length > FEW);
  const add = (ids: readonly string[]) => onChange([...new Set([...value, ...ids])]);
  const drop = (ids: readonly string[]) => onChange(value.filter(id => !ids.includes(id)));
  const choose = (id: string, isChosen: boolean) => (isChosen ? add([id]) : drop([id]));

  return (
    <Frame disabled={disabled} aria-describedby={error && errorId}>
      <legend>{hasHeading ? <VisuallyHidden>{label}</VisuallyHidden> : <Label>{label}</Label>}</legend>
      {problem && !options ? (
        <Failure problem={problem} message={failure} onRetry={() => void onRetry()} />
      ) : !options ? (
        <Skeleton height={plain ? '240px' : 'control'} aria-busy />
      ) : isMany ? (
        <PickByTyping
          options={options}
          chosen={props.chosen ?? options.filter(({ id }) => value.includes(id))}
          onChoose={choose}
          noun={noun}
          disabled={disabled}
          isInvalid={error !== undefined}
          onSearch={onSearch}
          ref={ref}
        />
      ) : options.length === 0 ? (
        <Box color="fg.muted">
          No {noun}s available. {create}
        </Box>
      ) : (
        <Grid
          templateColumns={`repeat(auto-fill, minmax(min(${plain ? 300 : 200}px, 100%), 1fr))`}
          columnGap="4"
        >
          {options.map((option, index) => (
            <CheckboxLabel key={option.id}>
              <input
                ref={index === 0 ? ref : undefined}
                type="checkbox"
                disabled={option.disabled}
                checked={value.includes(option.id)}
                onChange={({ target }) => choose(option.id, target.checked)}
              />
              <OptionText {...option} below={plain} />
            </CheckboxLabel>
          ))}
        </Grid>
      )}
      {!plain && (
        <Flex wrap="wrap" align="center" columnGap="2" mt="1" minHeight="control" fontSize="xs">
          {options && options.length > 0 && (
            <Box color="fg.muted" aria-live="polite">
              {formatNumber(value.length)} {noun}(s) selected
            </Box>
          )}
          {options && options.length > 1 && (
            <>
              <Button
                variant="ghost"
                disabled={options.every(({ id }) => value.includes(id))}
                onClick={() => add(options.map(({ id }) => id))}
              >
                Select All
              </Button>
              <Button variant="ghost" disabled={value.length === 0} onClick={() => onChange([])}>
                Deselect All
              </Button>
            </>
          )}
          <Box id={errorId} role="alert" color="fg.error" fontSize="sm">
            {error}
          </Box>
        </Flex>
      )}
    </Frame>
  );
}

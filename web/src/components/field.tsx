import { chakra } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';

const control = {
  width: 'full',
  bg: 'bg.panel',
  borderWidth: '1px',
  borderColor: 'border.emphasized',
  borderRadius: 'md',
  fontSize: 'sm',
  px: '2.5',
  _focusVisible: { outlineOffset: '-1px' },
  _invalid: { borderColor: 'border.error' },
  _disabled: { opacity: 0.6, cursor: 'not-allowed' },
  _readOnly: { bg: 'bg.subtle' },
} as const;

export const Input = chakra('input', { base: { ...control, height: '8' } });
export const Textarea = chakra('textarea', {
  base: { ...control, py: '1.5', lineHeight: '20px', resize: 'vertical' },
});
export const Select = chakra('select', { base: { ...control, height: '8', pr: '1' } });

const Frame = chakra('div', { base: { '& + &': { mt: '2' } } });
const Line = chakra('div', { base: { display: 'flex', justifyContent: 'space-between', mb: '1' } });
const Label = chakra('label', {
  base: { display: 'block', fontSize: 'sm', fontWeight: 'medium', overflowWrap: 'anywhere', minWidth: 0 },
});
// Hint and error share one place, whose height is kept: an error must not move what is below it.
const Below = chakra('div', {
  base: { display: 'grid', mt: '1', minHeight: '20px', lineHeight: '20px', '& > *': { gridArea: '1 / 1' } },
});
const Hint = chakra('p', {
  base: { fontSize: 'xs', color: 'fg.muted', '&:has(+ :not(:empty))': { visibility: 'hidden' } },
});
const FieldError = chakra('p', { base: { fontSize: 'sm', color: 'fg.error' } });

type ControlProps = { id: string; 'aria-describedby': string; 'aria-invalid': boolean };
type Props = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Shown at the end of the label's line. */
  aside?: ReactNode;
  /** Renders the control, given the attributes that connect it to label, hint and error. */
  children: (control: ControlProps) => ReactNode;
};

/** A control with its label, hint and error. */
export function Field({ label, hint, error, aside, children }: Props) {
  const id = useId();
  const control = { id, 'aria-describedby': `${id}-hint ${id}-error`, 'aria-invalid': error !== undefined };
  return (
    <Frame>
      <Line>
        <Label htmlFor={id}>{label}</Label>
        {aside}
      </Line>
      {children(control)}
      <Below>
        {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
        <FieldError id={`${id}-error`} role="alert">
          {error}
        </FieldError>
      </Below>
    </Frame>
  );
}

const Row = chakra('label', {
  base: { display: 'flex', alignItems: 'flex-start', gap: '2', fontSize: 'sm', cursor: 'pointer' },
});
const Box = chakra('input', {
  base: { width: '4', height: '4', mt: '0.5', flexShrink: 0, accentColor: 'var(--action)' },
});

type CheckboxProps = Omit<React.ComponentProps<typeof Box>, 'type' | 'children'> & { children: ReactNode };

export function Checkbox({ children, ...rest }: CheckboxProps) {
  return (
    <Row>
      <Box type="checkbox" {...rest} />
      <span>{children}</span>
    </Row>
  );
}

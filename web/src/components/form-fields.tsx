import { Box, chakra, Flex, Input, Textarea } from '@chakra-ui/react';
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import {
  type FieldPathByValue,
  type FieldValues,
  type Path,
  type PathValue,
  useController,
  useFormContext,
  useWatch,
} from 'react-hook-form';
import { formatNumber } from '../lib/format.ts';
import { Checkbox } from './checkbox.tsx';
import { Field } from './field.tsx';
import { Select } from './select.tsx';

type Edited = {
  TextField: string | null | undefined;
  TextareaField: string | null | undefined;
  SelectField: string | undefined;
  SecretField: string | undefined;
  NumberField: number | null | undefined;
  CheckboxField: boolean | undefined;
};

type Fields<Values extends FieldValues> = {
  [Name in keyof Edited]: ComponentType<
    Omit<ComponentProps<(typeof FIELDS)[Name]>, 'name'> & { name: FieldPathByValue<Values, Edited[Name]> }
  >;
};

/** The fields of a form with these values. A field whose name is unknown, or whose value has another type, does not compile. */
export const fieldsOf = <Values extends FieldValues>(): Fields<Values> => FIELDS as Fields<Values>;

/** Warnings about values that may be mistakes, by the name of the field. They do not prevent saving. */
export const FieldWarnings = createContext<Readonly<Record<string, readonly string[]>>>({});

type FieldProps = Pick<
  ComponentProps<typeof Field>,
  'label' | 'explained' | 'hint' | 'aside' | 'disabled'
> & {
  name: string;
  /** The maximum length of the schema. A counter appears before it is reached. */
  longest?: number;
};

/** A control of the form with label, hint and error. Without autofill, as most values are not about the user. */
const fieldWith =
  <Props extends object>(Control: ComponentType<Props>) =>
  ({ name, label, explained, hint, aside, disabled = false, longest, ...rest }: FieldProps & Props) => {
    const { register, getFieldState, formState } = useFormContext();
    const warnings = useContext(FieldWarnings)[name];
    const count = longest === undefined ? undefined : <Count name={name} longest={longest} />;
    return (
      <Field
        label={label}
        explained={explained}
        hint={hint}
        error={getFieldState(name, formState).error?.message}
        warning={warnings?.join(' ')}
        disabled={disabled}
        aside={
          (aside ?? count) && (
            <Flex gap="3">
              {count}
              {aside}
            </Flex>
          )
        }
      >
        <Control {...({ autoComplete: 'off', ...register(name), ...rest } as unknown as Props)} />
      </Field>
    );
  };

const Characters = chakra('span', { base: { fontSize: 'xs', lineHeight: '20px', color: 'fg.muted' } });
const COUNTED_FROM = 0.8;

/** The length of an input that nears its limit. An error is shown while typing if it is too long. */
function Count({ name, longest }: { name: string; longest: number }) {
  const { trigger } = useFormContext();
  const length = String(useWatch({ name }) ?? '').length;
  const isTooLong = length > longest;

  useEffect(() => {
    if (!isTooLong) return;
    void trigger(name);
    return () => void trigger(name);
  }, [isTooLong, name, trigger]);

  if (length < COUNTED_FROM * longest) return null;
  return (
    <Characters>
      {formatNumber(length)} of {formatNumber(longest)} characters
    </Characters>
  );
}

/** For `onInput` of a name without spaces: they become underscores while they are typed. */
export function withUnderscores({ currentTarget: input }: FormEvent<HTMLInputElement>) {
  const { value, selectionStart, selectionEnd } = input;
  if (!value.includes(' ')) return;
  input.value = value.replaceAll(' ', '_');
  input.setSelectionRange(selectionStart, selectionEnd);
}

const TextField = fieldWith<ComponentProps<typeof Input>>(Input);

type SecretProps = { name: string; label: string; hint?: ReactNode; placeholder?: string | undefined };

function SecretField({ label, ...rest }: SecretProps) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...rest}
      label={label}
      aside={
        <chakra.button
          type="button"
          fontSize="xs"
          lineHeight="20px"
          color="fg.muted"
          borderRadius="sm"
          _hover={{ color: 'fg' }}
          aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </chakra.button>
      }
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
      autoCapitalize="off"
      spellCheck={false}
    />
  );
}

type NumberProps = {
  name: string;
  label: string;
  hint?: ReactNode;
  min: number;
  step?: number | 'any';
  placeholder?: string;
  disabled?: boolean;
  /** The value of an empty input; by default null. */
  whenEmpty?: number;
};

/** A number of the form. An invalid number is NaN, which the schema refuses. */
function NumberField({
  name,
  label,
  hint,
  min,
  step = 1,
  placeholder,
  disabled = false,
  whenEmpty,
}: NumberProps) {
  const { register, getFieldState, formState, setValue } = useFormContext();
  const element = useRef<HTMLInputElement>(null);
  const { ref, onBlur, ...registered } = register(name, {
    setValueAs: (entered: unknown) => {
      if (element.current?.validity.badInput) return Number.NaN;
      return entered === '' || entered === null ? null : Number(entered);
    },
  });

  function fillIn() {
    const { value, validity } = element.current ?? {};
    if (whenEmpty !== undefined && value === '' && !validity?.badInput) {
      setValue(name, whenEmpty, { shouldDirty: true, shouldValidate: formState.isSubmitted });
    }
  }

  return (
    <Field
      label={label}
      hint={hint}
      error={getFieldState(name, formState).error?.message}
      disabled={disabled}
    >
      <Input
        {...registered}
        ref={input => {
          element.current = input;
          ref(input);
        }}
        type="number"
        inputMode={step === 1 ? 'numeric' : 'decimal'}
        step={step}
        min={min}
        placeholder={placeholder}
        autoComplete="off"
        onBlur={async event => {
          await onBlur(event);
          fillIn();
        }}
        // Enter submits the form.
        onKeyDown={({ key }) => key === 'Enter' && fillIn()}
        // Scrolling the page over a focused number would change it.
        onWheel={({ currentTarget }) => currentTarget.blur()}
      />
    </Field>
  );
}

type CheckboxProps = { name: string; hint?: string; disabled?: boolean; children: ReactNode };

function CheckboxField({ name, hint, disabled = false, children }: CheckboxProps) {
  const about = useId();
  const { field, fieldState } = useController({ name });
  const { value, disabled: _, ...rest } = field;
  const error = fieldState.error?.message;
  return (
    <Box mt="2">
      <Checkbox
        {...rest}
        checked={value}
        invalid={fieldState.invalid}
        disabled={disabled}
        aria-describedby={about}
      >
        {children}
      </Checkbox>
      <Box id={about} role={error && 'alert'} ps="6" color={error ? 'fg.error' : 'fg.muted'} fontSize="xs">
        {error ?? hint}
      </Box>
    </Box>
  );
}

const FIELDS = {
  TextField,
  TextareaField: fieldWith<ComponentProps<typeof Textarea>>(Textarea),
  SelectField: fieldWith<ComponentProps<typeof Select>>(Select),
  SecretField,
  NumberField,
  CheckboxField,
};

/** Puts a text into a field of the form as if it was typed there, and focuses the field. */
export function useFill<Values extends FieldValues>() {
  const { setValue, setFocus } = useFormContext<Values>();
  return (name: Path<Values>, text: string) => {
    setValue(name, text as PathValue<Values, Path<Values>>, { shouldDirty: true, shouldValidate: true });
    setFocus(name);
  };
}

/** Removes a row of fields. The focus, which would be lost with the row, moves to the next row, else to the button. */
export function useRemoveRow(name: string, remove: (index: number) => void) {
  const frame = useRef<HTMLFieldSetElement>(null);
  function removeRow(index: number) {
    const next = `[name="${name}.${index + 1}.key"]`;
    const target =
      frame.current?.querySelector<HTMLElement>(next) ??
      frame.current?.querySelector<HTMLElement>(':scope > button');
    target?.focus();
    remove(index);
  }
  return { frame, removeRow };
}

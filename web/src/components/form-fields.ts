import type { ComponentProps, ComponentType } from 'react';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import { CheckboxField } from './checkbox-field.tsx';
import { NumberField } from './number-field.tsx';
import { SecretField } from './secret-field.tsx';
import { SelectField, TextareaField, TextField } from './text-field.tsx';

const FIELDS = { TextField, TextareaField, SelectField, SecretField, NumberField, CheckboxField };

/** What each of them edits. */
type Edited = {
  TextField: string | null | undefined;
  TextareaField: string | null | undefined;
  SelectField: string | undefined;
  SecretField: string | undefined;
  NumberField: number | null | undefined;
  CheckboxField: boolean | undefined;
};

type Fields<Values extends FieldValues> = {
  [Name in keyof typeof FIELDS]: ComponentType<
    Omit<ComponentProps<(typeof FIELDS)[Name]>, 'name'> & { name: FieldPathByValue<Values, Edited[Name]> }
  >;
};

/** The fields of a form of these values. A name that is not one of theirs, or has a value of another type, does not compile. */
export const fieldsOf = <Values extends FieldValues>(): Fields<Values> => FIELDS as Fields<Values>;

import type { ComponentProps, ComponentType } from 'react';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import { CheckboxField } from './checkbox-field.tsx';
import { NumberField } from './number-field.tsx';
import { SecretField } from './secret-field.tsx';
import { SelectField, TextareaField, TextField } from './text-field.tsx';

const FIELDS = { TextField, TextareaField, SelectField, SecretField, NumberField, CheckboxField };

/** The type of value that each field edits. */
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

/** The fields of a form with these values. A field whose name is unknown, or whose value has another type, does not compile. */
export const fieldsOf = <Values extends FieldValues>(): Fields<Values> => FIELDS as Fields<Values>;

import { type FieldValues, type Path, type PathValue, useFormContext } from 'react-hook-form';

/** Puts a text into a field of the form as if it was typed there, and focuses the field. */
export function useFill<Values extends FieldValues>() {
  const { setValue, setFocus } = useFormContext<Values>();
  return (name: Path<Values>, text: string) => {
    setValue(name, text as PathValue<Values, Path<Values>>, { shouldDirty: true, shouldValidate: true });
    setFocus(name);
  };
}

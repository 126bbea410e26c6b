import { fieldsOf } from '#web/components/form-fields.tsx';

const { NumberField } = fieldsOf<{ holdout_percent?: number }>();

/** `use` is what it is good for. */
export const HoldoutField = ({ use = 'so that you see what its emails do' }: { use?: string }) => (
  <NumberField
    name="holdout_percent"
    label="Held out, in percent of people"
    hint={`They get nothing of it, always the same people, ${use}. From 0, which holds out nobody, to 50.`}
    min={0}
    whenEmpty={0}
  />
);

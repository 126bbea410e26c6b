import { defineSlotRecipe, type SlotRecipeDefinition, type SlotRecipeVariantRecord } from '@chakra-ui/react';

type Styles<Slot extends string, Variants extends SlotRecipeVariantRecord<Slot>> = Omit<
  SlotRecipeDefinition<Slot, Variants>,
  'slots'
>;

/** A recipe for the slots that `base` has styles for. Chakra's components do without styles for the others. */
export const slotRecipe = <Slot extends string, Variants extends SlotRecipeVariantRecord<Slot>>(
  styles: Styles<Slot, Variants>,
) => defineSlotRecipe<Slot, Variants>({ ...styles, slots: Object.keys(styles.base ?? {}) as Slot[] });

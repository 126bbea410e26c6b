import { defineRecipe } from '@chakra-ui/react';
import { slotRecipe } from './controls.ts';

const NAME_AND_VALUE = { gridTemplateColumns: 'minmax(64px, max-content) 1fr' };
const THREE_COLUMNS = { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' };
const WIDE = '@container (min-width: 480px)';

export const display = {
  badge: defineRecipe({
    base: {
      display: 'inline-block',
      px: '1.5',
      borderWidth: '1px',
      borderColor: 'border',
      borderRadius: 'sm',
      bg: 'bg.subtle',
      color: 'fg.muted',
      fontSize: 'xs',
      lineHeight: '18px',
      fontWeight: 'medium',
      whiteSpace: 'nowrap',
    },
  }),
  spinner: defineRecipe({
    base: {
      width: '6',
      height: '6',
      borderWidth: '2px',
      borderColor: 'border',
      borderTopColor: 'fg.muted',
      borderRadius: 'full',
      // Keyframes are in styles/app.css. Hidden for 200 ms, so that it does not flash before a fast response.
      animation: 'spin 800ms linear infinite, appear 1ms 200ms both',
    },
  }),
  skeleton: defineRecipe({
    base: {
      display: 'inline-block',
      verticalAlign: 'middle',
      height: '10px',
      width: '96px',
      maxWidth: 'full',
      borderRadius: 'full',
      bg: 'border',
      animation: 'pulse 1.6s infinite',
    },
  }),
};

export const slottedDisplay = {
  alert: slotRecipe({
    base: {
      root: {
        display: 'flex',
        alignItems: 'flex-start',
        gap: '2.5',
        px: '3',
        py: '2',
        borderWidth: '1px',
        borderRadius: 'md',
        bg: 'bg.subtle',
        fontSize: 'sm',
        lineHeight: '20px',
      },
      content: { flex: 1, minWidth: 0 },
      indicator: { display: 'flex', py: '0.5', _icon: { width: '4', height: '4' } },
    },
    variants: {
      status: {
        success: { indicator: { color: 'fg.success' } },
        info: { root: { bg: 'info.wash', borderColor: 'info.line' }, indicator: { color: 'fg.info' } },
        warning: {
          root: { bg: 'brand.wash', borderColor: 'brand.line' },
          indicator: { color: 'fg.warning' },
        },
        error: { root: { bg: 'danger.wash', borderColor: 'danger' }, indicator: { color: 'fg.error' } },
      },
    },
  }),
  status: slotRecipe({
    base: {
      root: {
        display: 'inline-flex',
        alignItems: 'center',
        gap: '1.5',
        whiteSpace: 'nowrap',
        // Otherwise the text would be aligned with the dot.
        verticalAlign: 'top',
      },
      indicator: { width: '2', height: '2', flexShrink: 0, borderRadius: 'full', bg: 'currentcolor' },
    },
  }),
  emptyState: slotRecipe({
    base: {
      root: { px: '4', py: '10' },
      content: {
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        gap: '1',
        textAlign: 'center',
        textWrap: 'balance',
        '& > button, & > a': { mt: '3' },
      },
      title: { fontWeight: 'semibold' },
      description: { color: 'fg.muted', fontSize: 'sm', maxWidth: '48ch' },
    },
  }),
  dataList: slotRecipe({
    base: {
      root: { display: 'grid', columnGap: '6', rowGap: '2', fontSize: 'sm', lineHeight: '20px' },
      item: { display: 'contents' },
      itemLabel: { color: 'fg.muted' },
      itemValue: { fontWeight: 'medium', overflowWrap: 'anywhere', minWidth: 0 },
    },
    variants: {
      orientation: {
        horizontal: { root: NAME_AND_VALUE },
        // Narrow containers use the horizontal layout.
        vertical: {
          root: { ...NAME_AND_VALUE, [WIDE]: { ...THREE_COLUMNS, rowGap: '3' } },
          item: { [WIDE]: { display: 'block' } },
        },
      },
    },
    defaultVariants: { orientation: 'horizontal' },
  }),
  tabs: slotRecipe({
    base: {
      list: {
        display: 'flex',
        gap: { base: '0', sm: '1' },
        borderBottomWidth: '1px',
        borderColor: 'border',
        overflowX: 'auto',
      },
      trigger: {
        flexShrink: 0,
        minHeight: 'control',
        px: { base: '2', sm: '3' },
        whiteSpace: 'nowrap',
        fontSize: 'sm',
        lineHeight: '16px',
        fontWeight: 'medium',
        color: 'fg.muted',
        borderBottomWidth: '2px',
        borderColor: 'transparent',
        _hover: { color: 'fg' },
        _selected: { color: 'fg', borderColor: 'action' },
        _focusVisible: { outlineOffset: '-2px' },
      },
    },
  }),
  progress: slotRecipe({
    base: {
      track: { height: '1.5', overflow: 'hidden', borderRadius: 'full', bg: 'border' },
      range: { height: 'full', bg: 'action', transition: 'width 120ms' },
    },
  }),
};

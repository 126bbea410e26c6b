/** In milliseconds. */
export const RESULT_DURATION = 4000;

export const TEMPLATE_MISSING = "Template not found or you don't have permission to view it.";

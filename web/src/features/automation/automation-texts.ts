export const AUTOMATION_MISSING = 'Automation not found';
export const LOADING_FAILED = 'Failed to fetch automation. Please try again.';

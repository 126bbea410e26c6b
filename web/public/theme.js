// Runs before anything is painted, and when another tab chooses. Without a choice, the theme is that of the system.
function applyTheme() {
  try {
    const theme = localStorage.getItem('theme');
    document.documentElement.style.colorScheme = theme === 'light' || theme === 'dark' ? theme : '';
  } catch {
    // Storage is blocked, so nothing was chosen.
  }
}
applyTheme();
addEventListener('storage', applyTheme);

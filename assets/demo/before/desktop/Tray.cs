using System;
using System.Drawing;
using System.Windows.Forms;

namespace Pigeon.Desktop
{
    /// <summary>The icon beside the clock.</summary>
    public sealed class Tray : IDisposable
    {
        private readonly NotifyIcon icon = new NotifyIcon();

        public Tray(Icon image)
        {
            icon.Icon = image;
            icon.Text = "Pigeon";
            icon.Visible = true;
        }

        public void Show(string title, string text)
        {
            icon.ShowBalloonTip(3000, title, text, ToolTipIcon.Info);
        }

        public void Dispose()
        {
            icon.Visible = false;
            icon.Dispose();
        }
    }
}
